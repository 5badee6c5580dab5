import { scaleTokens } from '@pith-mcp/paginator'
import { createRanker } from '@pith-mcp/scorer'
import { measureText } from '../text/page-size.ts'
import { type ListedSymbol, listedSymbol, symbolFields } from './signature.ts'
import type { CodeSymbol, SourceFile } from './source-file.ts'

/** A symbol in an outline. */
export interface OutlineEntry extends ListedSymbol {
  /** Estimated tokens of the whole symbol. */
  tokens: number
  /** Number of symbols around it. */
  depth: number
  /** Number of symbols in it. */
  inside: number
  extent: CodeSymbol['extent']
}

/** The symbols of a file, in the order of the file. */
export interface Outline {
  file: string
  language?: string
  totalLines: number
  /** In the order of the file, or best first for a query. */
  entries: readonly OutlineEntry[]
  /** Number of symbols of the file. */
  total: number
  /** The parser failed in parts of the file, so symbols may be missing. */
  hasErrors: boolean
  /** Why the file was not parsed; absent if it was. */
  unparsed?: string
}

/**
 * The symbols of a file; with a query, those below a name path (`Class/`), or those whose names or
 * signatures contain its words.
 */
export function outlineOf(file: SourceFile, query?: string): Outline {
  const { path, language, symbols, unparsed, lines } = file
  const tokensOf = tokenCounter(file.text)
  const inside = new Array<number>(symbols.length).fill(0)
  const depths: number[] = []
  symbols.forEach(({ parent }) => {
    depths.push(parent < 0 ? 0 : (depths[parent] as number) + 1)
    for (let at = parent; at >= 0; at = symbols[at]?.parent ?? -1) (inside[at] as number)++
  })
  const entries = symbols.map(
    (symbol, index): OutlineEntry => ({
      ...listedSymbol(file, symbol),
      tokens: tokensOf(symbol.start, symbol.end),
      depth: depths[index] as number,
      inside: inside[index] as number,
      extent: symbol.extent,
    }),
  )
  return {
    file: path,
    ...(language && { language: language.name }),
    totalLines: lines.count,
    entries: query ? matching(entries, query.trim()) : entries,
    total: entries.length,
    hasErrors: file.parsed.hasErrors,
    ...(unparsed !== undefined && { unparsed }),
  }
}

function matching(entries: readonly OutlineEntry[], query: string): OutlineEntry[] {
  const holder = query.endsWith('/') ? query : `${query}/`
  const within = entries.filter(({ path }) => path.startsWith(holder))
  const itself = entries.filter(({ path }) => path === holder.slice(0, -1))
  if (query.endsWith('/') && within.length > 0) return [...itself, ...within]
  const ranker = createRanker(entries, { fields: symbolFields })
  return ranker.rank(query, { limit: entries.length }).map(({ item }) => item)
}

/** The tokens of longer texts are estimated from samples. */
const maxCountedLength = 2_000_000
const samples = 8
const sampleLength = 16_384

/** Estimated tokens between two offsets. */
function tokenCounter(text: string): (start: number, end: number) => number {
  if (text.length > maxCountedLength) {
    const step = Math.floor(text.length / samples)
    const parts = Array.from({ length: samples }, (_, at) =>
      text.slice(at * step, at * step + sampleLength),
    ).join('')
    const rate = (scaleTokens(parts).tokens.at(-1) ?? 0) / parts.length
    return (start, end) => Math.ceil((end - start) * rate)
  }
  const { between } = measureText(text, 'tokens')
  return (start, end) => Math.ceil(between(start, end))
}
