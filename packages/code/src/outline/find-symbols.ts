import { createRanker, editDistance } from '@pith-mcp/scorer'
import { CodeError } from '../code-error.ts'
import type { Lines } from '../text/lines.ts'
import { listedSymbol } from './signature.ts'
import type { CodeSymbol, SourceFile } from './source-file.ts'

/**
 * The symbols that a name may mean. It is a name path (`Class/method`, `method`, `name[1]`; `.` and
 * `::` also separate), a signature (`int f(int a)`) or a line (`line 120`). A full path wins over the
 * end of a path, and an exact match over one that ignores case.
 */
export function findSymbols(
  query: string,
  { symbols, text, lines }: SourceFile,
): readonly CodeSymbol[] {
  const plainQuery = query.trim()
  const line = /^(?:line\s+|:)?(\d+)$/i.exec(plainQuery)?.[1]
  if (line !== undefined) return around(Number(line), symbols, lines)
  const exact = symbols.filter(({ path }) => path === plainQuery)
  if (exact.length > 0) return exact
  const { names, number } = readQuery(plainQuery)
  for (const matches of matchers) {
    const all = symbols.filter((symbol) => names.some((name) => matches(symbol.bare, name)))
    const matched = number === undefined ? all : numbered(all, number)
    if (matched.length === 1) return matched
    if (matched.length > 1) return bySignature(plainQuery, matched, text)
  }
  return []
}

const matchers: readonly ((bare: string, name: string) => boolean)[] = [
  (bare, name) => bare === name,
  (bare, name) => bare.endsWith(`/${name}`),
  (bare, name) => `/${bare}`.toLowerCase().endsWith(`/${name.toLowerCase()}`),
]

/** The names that a query may mean, in the form of paths, and its number. */
function readQuery(query: string): { names: string[]; number: number | undefined } {
  const number = /\[(\d+)\]$/.exec(query)?.[1]
  const plain = query.replace(/\[\d+\]$/, '').replace(/^\//, '')
  const called = /([^\s()*&]+)\s?\(/.exec(plain)?.[1]
  const spellings = [plain, ...(called ? [called] : [])].flatMap((name) => [
    name,
    name.replace(/::|[.#]/g, '/').replace(/\/$/, ''),
  ])
  return {
    names: [...new Set(spellings)].filter((name) => name !== ''),
    number: number === undefined ? undefined : Number(number),
  }
}

/** The symbol with a number, among those with the same path. */
function numbered(symbols: readonly CodeSymbol[], number: number): readonly CodeSymbol[] {
  const exact = symbols.filter(({ path }) => path.endsWith(`[${number}]`))
  return exact.length > 0 || number > 0 ? exact : symbols.filter(({ path }) => !path.endsWith(']'))
}

/** Symbols whose header contains the query, ignoring white space. */
function bySignature(
  query: string,
  symbols: readonly CodeSymbol[],
  text: string,
): readonly CodeSymbol[] {
  if (!query.includes('(')) return symbols
  const squeeze = (code: string): string => code.replace(/\s+/g, '')
  const plainQuery = squeeze(query)
  const matched = symbols.filter(({ start, body }) =>
    squeeze(text.slice(start, body)).includes(plainQuery),
  )
  return matched.length > 0 ? matched : symbols
}

/** The innermost symbol around a line. */
function around(line: number, symbols: readonly CodeSymbol[], lines: Lines): CodeSymbol[] {
  const start = lines.startOf(line)
  const next = lines.startOf(line + 1)
  const holding =
    line >= 1 && line <= lines.count
      ? symbols.filter((symbol) => symbol.start < next && symbol.end > start)
      : []
  return holding.slice(-1)
}

const maxShown = 20
const maxNear = 5
/** At most this many symbols are compared. */
const maxRanked = 20_000

/** The error for a name of several symbols, with their lines. */
export function ambiguous(
  name: string,
  candidates: readonly CodeSymbol[],
  file: SourceFile,
): CodeError {
  const shown = candidates.slice(0, maxShown).map((symbol) => {
    const { path, kind, signature, startLine, endLine } = listedSymbol(file, symbol)
    return `- ${path} (${kind}, lines ${startLine}–${endLine}): ${signature.slice(0, 80)}`
  })
  const more = candidates.length - shown.length
  return new CodeError(
    'ambiguous',
    `${JSON.stringify(name)} matches ${candidates.length} symbols of ${file.path}:\n${shown.join('\n')}${more > 0 ? `\n… and ${more} more` : ''}\n`,
    'Pass one of these name paths.',
  )
}

export function noSuchSymbol(name: string, { path, symbols, unparsed }: SourceFile): CodeError {
  if (unparsed !== undefined)
    return new CodeError(
      'no_symbols',
      `${path} has no symbols: ${unparsed}.`,
      'Read the file by lines instead.',
    )
  const near = nearest(name, symbols)
  return new CodeError(
    'symbol_not_found',
    `${path} has no symbol ${JSON.stringify(name)}.${near.length > 0 ? ` Similar names: ${near.join(', ')}.` : ''}`,
    'List the symbols of the file, or search other files for the name.',
  )
}

function nearest(name: string, symbols: readonly CodeSymbol[]): string[] {
  const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('.')) + 1).toLowerCase()
  const maxDistance = Math.ceil(last.length / 4)
  const some = symbols.slice(0, maxRanked)
  const slips = some.filter(
    (symbol) => editDistance(symbol.name.toLowerCase(), last, maxDistance) <= maxDistance,
  )
  const ranker = createRanker(some, {
    fields: [{ name: 'name', text: (symbol) => symbol.path.replaceAll('/', ' '), weight: 1 }],
  })
  const ranked = ranker.rank(name, { limit: maxNear }).map(({ item }) => item)
  return [...new Set([...slips, ...ranked].map((symbol) => symbol.path))].slice(0, maxNear)
}
