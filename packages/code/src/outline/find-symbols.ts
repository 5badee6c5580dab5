import { editDistance } from '@pith-mcp/scorer'
import { CodeError } from '../code-error.ts'
import { filterInTurns, inTurns } from '../text/in-turns.ts'
import type { Lines } from '../text/lines.ts'
import { rankSymbols } from './rank-symbols.ts'
import { listedSymbol } from './signature.ts'
import type { CodeSymbol, SourceFile } from './source-file.ts'

/**
 * The symbols that a name may mean. It is a name path (`Class/method`, `method`, `name[1]`; `.` and
 * `::` also separate), a signature (`int f(int a)`) or a line (`line 120`). A full path wins over the
 * end of a path, and an exact match over one that ignores case.
 */
export async function findSymbols(
  query: string,
  { symbols, values, text, lines }: SourceFile,
): Promise<readonly CodeSymbol[]> {
  const symbolsOfName = await namedSymbols(query, { symbols, text, lines })
  return symbolsOfName.length > 0
    ? symbolsOfName
    : namedSymbols(query, { symbols: values, text, lines })
}

async function namedSymbols(
  query: string,
  { symbols, text, lines }: Pick<SourceFile, 'symbols' | 'text' | 'lines'>,
): Promise<readonly CodeSymbol[]> {
  const plainQuery = query.trim()
  const line = /^(?:line\s+|:)?(\d+)$/i.exec(plainQuery)?.[1]
  if (line !== undefined) return around(Number(line), symbols, lines)
  const exact = await filterInTurns(symbols, ({ path }) => path === plainQuery)
  if (exact.length > 0) return exact
  const { names, number } = readQuery(plainQuery)
  for (const matches of matchers) {
    const all = await filterInTurns(symbols, ({ bare }) =>
      names.some((name) => matches(bare, name)),
    )
    const matched = number === undefined ? all : await numbered(all, number)
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
  const namePath = query.replace(/\[\d+\]$/, '').replace(/^\//, '')
  const called = /([^\s()*&]+)\s?\(/.exec(namePath)?.[1]
  const spellings = [namePath, ...(called ? [called] : [])].flatMap((name) => [
    name,
    name.replace(/::|[.#]/g, '/').replace(/\/$/, ''),
  ])
  return {
    names: [...new Set(spellings)].filter((name) => name !== ''),
    number: number === undefined ? undefined : Number(number),
  }
}

/** The symbol with a number, among those with the same path. */
async function numbered(
  symbols: readonly CodeSymbol[],
  number: number,
): Promise<readonly CodeSymbol[]> {
  const exact = await filterInTurns(symbols, ({ path }) => path.endsWith(`[${number}]`))
  if (exact.length > 0 || number > 0) return exact
  return filterInTurns(symbols, ({ path }) => !path.endsWith(']'))
}

/** Symbols whose header contains the query, ignoring white space. */
async function bySignature(
  query: string,
  symbols: readonly CodeSymbol[],
  text: string,
): Promise<readonly CodeSymbol[]> {
  if (!query.includes('(')) return symbols
  const squeeze = (code: string): string => code.replace(/\s+/g, '')
  const plainQuery = squeeze(query)
  const matched = await filterInTurns(symbols, ({ start, body }) =>
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

/** The error for a name of several symbols, with their lines. */
export function ambiguous(
  name: string,
  candidates: readonly CodeSymbol[],
  file: SourceFile,
): CodeError {
  const lines = candidates.slice(0, maxShown).map((symbol) => {
    const { path, kind, signature, startLine, endLine } = listedSymbol(file, symbol)
    return `- ${path} (${kind}, lines ${startLine}–${endLine}): ${signature}`
  })
  const more = candidates.length - lines.length
  return new CodeError(
    'ambiguous',
    `${JSON.stringify(name)} matches ${candidates.length} symbols of ${file.path}:\n${lines.join('\n')}${more > 0 ? `\n… and ${more} more` : ''}\n`,
    'Pass one of these name paths.',
  )
}

export async function noSuchSymbol(
  name: string,
  { path, symbols, unparsed }: SourceFile,
): Promise<CodeError> {
  if (unparsed !== undefined)
    return new CodeError(
      'no_symbols',
      `The symbols of ${path} are not known: ${unparsed}.`,
      'Read the file by lines instead.',
    )
  const suggestions = await nearest(name, symbols)
  return new CodeError(
    'symbol_not_found',
    `${path} has no symbol ${JSON.stringify(name)}.${suggestions.length > 0 ? ` Similar names: ${suggestions.join(', ')}.` : ''}`,
    'List the symbols of the file, or search other files for the name.',
  )
}

async function nearest(name: string, symbols: readonly CodeSymbol[]): Promise<string[]> {
  const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('.')) + 1).toLowerCase()
  const maxDistance = Math.ceil(last.length / 4)
  const matches: CodeSymbol[] = []
  await inTurns(symbols, (symbol) => {
    const isLike =
      matches.length < maxNear &&
      Math.abs(symbol.name.length - last.length) <= maxDistance &&
      editDistance(symbol.name.toLowerCase(), last, maxDistance) <= maxDistance
    if (isLike) matches.push(symbol)
  })
  const { ranked } = await rankSymbols(symbols, name, [
    { name: 'name', text: (symbol) => symbol.path.replaceAll('/', ' '), weight: 1 },
  ])
  const paths = [...matches, ...ranked.slice(0, maxNear)].map(({ path }) => path)
  return [...new Set(paths)].slice(0, maxNear)
}
