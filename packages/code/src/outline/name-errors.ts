import { createRanker, editDistance } from '@pith-mcp/scorer'
import { CodeError } from '../code-error.ts'
import { listedSymbol } from './signature.ts'
import type { SourceFile } from './source-file.ts'
import type { CodeSymbol } from './symbols.ts'

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
