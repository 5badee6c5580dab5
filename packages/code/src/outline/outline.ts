import { filterInTurns, inTurns } from '../text/in-turns.ts'
import { rankSymbols, symbolFields } from './rank-symbols.ts'
import { type ListedSymbol, listedSymbol } from './signature.ts'
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
  /** Number of symbols that were not ranked, because others contain more words of the query. */
  unranked?: number
  /** The parser failed in parts of the file, so symbols may be missing. */
  hasErrors: boolean
  /** Why the file was not parsed; absent if it was. */
  unparsed?: string
}

/**
 * The symbols of a file; with a query, those below a name path (`Class/`), or those whose names or
 * signatures contain its words.
 */
export async function outlineOf(file: SourceFile, query?: string): Promise<Outline> {
  const { path, language, symbols, unparsed, lines } = file
  const depths: number[] = []
  const inside = new Uint32Array(symbols.length)
  for (const { parent } of symbols) depths.push(parent < 0 ? 0 : (depths[parent] as number) + 1)
  // Parents are before their children.
  for (let at = symbols.length - 1; at >= 0; at--) {
    const { parent } = symbols[at] as CodeSymbol
    if (parent >= 0) inside[parent] = (inside[parent] as number) + (inside[at] as number) + 1
  }
  const entries: OutlineEntry[] = []
  await inTurns(symbols, (symbol, index) => {
    const { path: name, kind, signature, startLine, endLine } = listedSymbol(file, symbol)
    // Not spread, which takes ten times as long.
    entries.push({
      path: name,
      kind,
      signature,
      startLine,
      endLine,
      tokens: symbol.tokens,
      depth: depths[index] as number,
      inside: inside[index] as number,
      extent: symbol.extent,
    })
  })
  return {
    file: path,
    ...(language && { language: language.name }),
    totalLines: lines.count,
    ...(query ? await matching(entries, query.trim()) : { entries }),
    total: entries.length,
    hasErrors: file.parsed.hasErrors,
    ...(unparsed !== undefined && { unparsed }),
  }
}

async function matching(
  entries: readonly OutlineEntry[],
  query: string,
): Promise<Pick<Outline, 'entries' | 'unranked'>> {
  const holder = query.endsWith('/') ? query : `${query}/`
  const within = await filterInTurns(entries, ({ path }) => path.startsWith(holder))
  if (query.endsWith('/') && within.length > 0) {
    const itself = await filterInTurns(entries, ({ path }) => path === holder.slice(0, -1))
    return { entries: [...itself, ...within] }
  }
  const { ranked, unranked } = await rankSymbols(entries, query, symbolFields)
  return { entries: ranked, ...(unranked > 0 && { unranked }) }
}
