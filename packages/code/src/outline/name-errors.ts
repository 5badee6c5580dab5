import { createRanker, editDistance } from '@pith-mcp/scorer'
import { CodeError } from '../code-error.ts'
import { firstLines } from './signature.ts'
import type { SourceFile } from './source-file.ts'
import type { CodeSymbol } from './symbols.ts'

const mostShown = 20
const mostNear = 5
/** More are not compared. */
const mostRanked = 20_000

/** Several symbols have a name: which ones, with their lines. */
export function ambiguous(
  name: string,
  candidates: readonly CodeSymbol[],
  { path, lines, text }: SourceFile,
): CodeError {
  const shown = candidates.slice(0, mostShown).map((symbol) => {
    const [first, last] = [
      lines.lineAt(symbol.start),
      lines.lineAt(Math.max(symbol.start, symbol.end - 1)),
    ]
    return `- ${symbol.path} (${symbol.kind}, lines ${first}–${last}): ${firstLines(text, symbol).slice(0, 80)}`
  })
  const more = candidates.length - shown.length
  return new CodeError(
    'ambiguous',
    `${JSON.stringify(name)} could be ${candidates.length} symbols of ${path}:\n${shown.join('\n')}${more > 0 ? `\n… and ${more} more` : ''}\n`,
    'Pass one of these name paths.',
  )
}

export function noSuchSymbol(name: string, { path, symbols, unparsed }: SourceFile): CodeError {
  if (unparsed !== undefined)
    return new CodeError(
      'no_symbols',
      `${path} has no symbols, since ${unparsed}.`,
      'Read it by lines: a chunk of the file, from a line on.',
    )
  const near = nearest(name, symbols)
  return new CodeError(
    'symbol_not_found',
    `${path} has no symbol ${JSON.stringify(name)}${near.length > 0 ? `; near are ${near.join(', ')}` : ''}.`,
    'See what it has, or look for the name in other files.',
  )
}

function nearest(name: string, symbols: readonly CodeSymbol[]): string[] {
  const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('.')) + 1).toLowerCase()
  const most = Math.ceil(last.length / 4)
  const some = symbols.slice(0, mostRanked)
  const slips = some.filter((symbol) => editDistance(symbol.name.toLowerCase(), last, most) <= most)
  const ranker = createRanker(some, {
    fields: [{ name: 'name', text: (symbol) => symbol.path.replaceAll('/', ' '), weight: 1 }],
  })
  const ranked = ranker.rank(name, { limit: mostNear }).map(({ item }) => item)
  return [...new Set([...slips, ...ranked].map((symbol) => symbol.path))].slice(0, mostNear)
}
