import type { Lines } from '../text/lines.ts'
import type { SourceFile } from './source-file.ts'
import type { CodeSymbol } from './symbols.ts'

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
