import { createHash } from 'node:crypto'
import type { Meaning } from '@pith-mcp/scorer'
import type { OwnedSection } from './rank-sections.ts'

/** In characters; the beginning tells what a section is about. */
const maxTextLength = 1_000

/** Sections found by words, ranked by an external model as well. Their indexes keep the vectors. */
export async function rankByMeaning(
  ranked: readonly OwnedSection[],
  query: string,
  meaning: Meaning,
  signal: AbortSignal | undefined,
): Promise<OwnedSection[]> {
  const items = ranked.map((section) => {
    const { pageTitle, path, title, text: content } = section.item
    const text = `${[pageTitle, ...path, title].join(' › ')}\n${content}`.slice(0, maxTextLength)
    const hash = createHash('sha256').update(`${meaning.model}\0${text}`).digest('base64url')
    return { key: `vector ${hash}`, text, store: section.owner.index }
  })
  const similarities = await meaning.similarities(query, items, signal)
  const scores = meaning.raise(
    ranked.map(({ score }) => score),
    similarities ?? [],
  )
  return ranked
    .map((section, at) => Object.assign(section, { score: scores[at] }))
    .sort((a, b) => b.score - a.score)
}
