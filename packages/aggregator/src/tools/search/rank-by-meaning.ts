import type { EmbeddingModel } from '@pith-mcp/scorer'
import { oncePer } from '#servers/protocol/once-per'
import type { CatalogTool } from '../../catalog/catalog-tools.ts'
import type { Candidate } from './tool-index.ts'

export interface RankedCandidate {
  item: Candidate
  /** By its words; 0 if they do not match. */
  score: number
  reasons: readonly string[]
}

/** An order, and what was not compared by meaning. */
interface RankedByMeaning {
  ranked: RankedCandidate[]
  note?: string | undefined
}

export type ToolMeaning = NonNullable<ReturnType<typeof createToolMeaning>>

/** In characters; the beginning says what a tool does. */
const maxTextLength = 1_000
/** Tools whose vectors are made. Each of them takes 3 KB for a model with 768 dimensions. */
const maxTools = 10_000
/** Share of a reply for the most similar tools if they do not include the best by words. */
const shareOfOthers = 0.2

/** Ranks tools by an external model as well. Vectors are in memory, and requests have a time limit. */
export function createToolMeaning(
  endpoint: EmbeddingModel | undefined,
  onLog: (text: string) => void,
) {
  if (endpoint === undefined) return undefined
  const itemOf = oncePer(({ server, name, definition }: CatalogTool) => {
    const { title = '', description = '' } = definition
    const text = `${server.name} ${name}: ${title} ${description}`.slice(0, maxTextLength)
    return { key: text, text }
  })
  const opened = import('@pith-mcp/scorer').then(({ createMeaning }) =>
    createMeaning(endpoint, onLog),
  )

  /**
   * What words found, in an order that similarity changes a little, and then the most similar of all
   * tools. Where these include the best by words, too, they get only the places that words leave.
   */
  return async function rankByMeaning(
    query: string,
    byWords: readonly RankedCandidate[],
    tools: readonly CatalogTool[],
    limit: number,
    signal: AbortSignal | undefined,
  ): Promise<RankedByMeaning> {
    const compared = tools.slice(0, maxTools)
    const meaning = await opened
    const similarities = await meaning.similarities(query, compared.map(itemOf), signal)
    if (similarities === undefined)
      return {
        ranked: [...byWords],
        note: 'The embedding model cannot be used: only words were searched.',
      }
    const byTool = new Map(compared.map((tool, at) => [tool, similarities[at]]))
    const similarityOf = ({ item }: RankedCandidate): number | undefined =>
      item.tool && byTool.get(item.tool)
    const scores = meaning.raise(
      byWords.map(({ score }) => score),
      byWords.map(similarityOf),
    )
    const ranked = byWords
      .map((hit, at) => ({ ...hit, score: scores[at] ?? 0 }))
      .sort((a, b) => b.score - a.score)
    const best = similarTools(compared, similarities).slice(0, limit)
    const agrees = best.some((tool) => tool === ranked[0]?.item.tool)
    const places = agrees ? limit : Math.ceil(limit * (1 - shareOfOthers))
    const hits = new Map<unknown, RankedCandidate>()
    const add = (hit: RankedCandidate): unknown =>
      hits.has(hit.item.tool ?? hit) || hits.set(hit.item.tool ?? hit, hit)
    for (const hit of ranked.slice(0, places)) add(hit)
    for (const tool of best)
      add(
        ranked.find(({ item }) => item.tool === tool) ?? {
          item: { tool },
          score: 0,
          reasons: ['meaning'],
        },
      )
    for (const hit of ranked) add(hit)
    return { ranked: [...hits.values()], note: notCompared(similarities, tools.length) }
  }
}

/** Tools that are nearer to the most similar one than to the average, best first. */
function similarTools(
  tools: readonly CatalogTool[],
  similarities: readonly (number | undefined)[],
): CatalogTool[] {
  const values = similarities.filter((value) => value !== undefined)
  const average = values.reduce((sum, value) => sum + value, 0) / values.length
  const least = (average + Math.max(...values)) / 2
  return tools
    .map((tool, at) => ({ tool, similarity: similarities[at] ?? Number.NEGATIVE_INFINITY }))
    .filter(({ similarity }) => similarity >= least)
    .sort((a, b) => b.similarity - a.similarity)
    .map(({ tool }) => tool)
}

function notCompared(
  similarities: readonly (number | undefined)[],
  count: number,
): string | undefined {
  const missing = similarities.filter((value) => value === undefined).length
  const beyond = count - similarities.length
  if (missing + beyond === 0) return undefined
  const reasons = [
    ...(missing > 0 ? [`${missing} of them have no vectors yet`] : []),
    ...(beyond > 0 ? [`${beyond} are beyond the first ${maxTools}`] : []),
  ]
  return `${missing + beyond} of ${count} tools were searched by words only: ${reasons.join(', ')}.`
}
