import { createLines } from '../text/lines.ts'
import type { CodeSymbol } from './symbols.ts'

/** What a name stands for in a file: one symbol, several, or none. */
export interface Found {
  symbol?: CodeSymbol
  /** All that are meant, where it is not one. */
  candidates: readonly CodeSymbol[]
}

/**
 * Finds a symbol by its name path (`Class/method`, `method`, `name[1]`; `.` and `::` separate too),
 * its signature (`int f(int a)`) or a line in it (`line 120`). The whole path comes before the end
 * of one, and its case before any.
 */
export function findSymbol(query: string, symbols: readonly CodeSymbol[], text: string): Found {
  const wanted = query.trim()
  const line = /^(?:line\s+|:)?(\d+)$/i.exec(wanted)?.[1]
  if (line !== undefined) return around(Number(line), symbols, text)
  const exact = symbols.filter(({ path }) => path === wanted)
  if (exact.length > 0) return found(exact)
  const { names, number } = readQuery(wanted)
  for (const matches of ways) {
    const all = symbols.filter((symbol) => names.some((name) => matches(symbol.bare, name)))
    const matched = number === undefined ? all : numbered(all, number)
    if (matched.length === 1) return found(matched)
    if (matched.length > 1) return found(bySignature(wanted, matched, text))
  }
  return { candidates: [] }
}

const found = (matched: readonly CodeSymbol[]): Found => ({
  ...(matched.length === 1 && { symbol: matched[0] as CodeSymbol }),
  candidates: matched,
})

const ways: readonly ((bare: string, name: string) => boolean)[] = [
  (bare, name) => bare === name,
  (bare, name) => bare.endsWith(`/${name}`),
  (bare, name) => `/${bare}`.toLowerCase().endsWith(`/${name.toLowerCase()}`),
]

/** The names a query may mean, as they stand in paths, and its number. */
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

/** The one of that number, of those with the same path. */
function numbered(symbols: readonly CodeSymbol[], number: number): readonly CodeSymbol[] {
  const exact = symbols.filter(({ path }) => path.endsWith(`[${number}]`))
  return exact.length > 0 || number > 0 ? exact : symbols.filter(({ path }) => !path.endsWith(']'))
}

/** Those whose text before the body has what was asked for, blanks aside. */
function bySignature(
  query: string,
  symbols: readonly CodeSymbol[],
  text: string,
): readonly CodeSymbol[] {
  if (!query.includes('(')) return symbols
  const squeeze = (code: string): string => code.replace(/\s+/g, '')
  const wanted = squeeze(query)
  const matched = symbols.filter(({ start, body }) =>
    squeeze(text.slice(start, body)).includes(wanted),
  )
  return matched.length > 0 ? matched : symbols
}

/** The innermost around a line. */
function around(line: number, symbols: readonly CodeSymbol[], text: string): Found {
  const lines = createLines(text)
  const start = lines.startOf(line)
  const next = lines.startOf(line + 1)
  const holding =
    line >= 1 && line <= lines.count
      ? symbols.filter((symbol) => symbol.start < next && symbol.end > start)
      : []
  return found(holding.slice(-1))
}
