import { callableKinds } from '../languages/symbol-kind.ts'
import { asideOf, type SymbolHit } from '../search/symbol-hit.ts'
import type { SearchResult } from '../search/symbol-search.ts'
import type { Chunk } from './chunk.ts'

/** Callables may have a page; of other symbols, a longer text is not returned with their place. */
const maxBodyTokens = 250
/** Of what words describe, so many texts are returned. */
const maxBodies = 2

/** The text of the only hit outside tests that has the name of the query, or of what words describe. */
export async function bodiesOf(
  { match, hits }: SearchResult,
  read: (id: string) => Promise<Chunk>,
): Promise<Chunk[]> {
  const isDescribed = match === 'description'
  if (!isDescribed && !(match === 'name' && isClear(hits))) return []
  const bodies: Chunk[] = []
  for (const hit of hits.slice(0, isDescribed ? maxBodies : 1)) {
    const isCallable = callableKinds.has(hit.kind) && !isDescribed
    // Spares paging what would be too long.
    if (!isCallable && hit.endLine - hit.startLine > maxBodyTokens / 4) break
    const chunk = await read(hit.id).catch(() => undefined)
    if (!chunk || chunk.isPartial || !(isCallable || chunk.totalTokens <= maxBodyTokens)) break
    bodies.push(chunk)
  }
  return bodies
}

/** True if only the first one is a definition outside tests. */
const isClear = ([hit, second]: readonly SymbolHit[]): boolean =>
  hit !== undefined && asideOf(hit) === 0 && (!second || asideOf(second) > 0)
