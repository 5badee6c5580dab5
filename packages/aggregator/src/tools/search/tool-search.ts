import type { IndexedRanker } from '@pith-mcp/scorer'
import type { AbsentTool, Offer } from '../../catalog/offers.ts'
import { saysItReadsOnly } from '../../catalog/policy/tool-rules.ts'
import type { View } from '../../catalog/view.ts'
import { plainName } from '../../protocol/plain-name.ts'
import { type Candidate, fuse, type RankedCandidate } from './fuse.ts'
import type { MeaningSearch } from './meaning-search.ts'

interface SearchRequest {
  query: string
  /** Only tools of this server. */
  server?: string | undefined
  /** Only tools with one of these, or of a server with one. */
  tags?: readonly string[] | undefined
  /** Only tools that say they change nothing. */
  readOnly?: boolean | undefined
  limit: number
}

export interface SearchHit {
  offer: Offer
  /** Why, in plain words: `name: create, issue`. */
  reasons: readonly string[]
}

export interface SearchAnswer {
  /** Best first. */
  hits: SearchHit[]
  /** Tools that would be among the hits if they could be called. */
  absent: AbsentTool[]
}

export interface ToolSearch {
  find(request: SearchRequest, view: View, signal: AbortSignal): Promise<SearchAnswer>
}

/** So many of a ranking are fused with another. */
const mostFused = 50

/** By words, and by meaning where there are embeddings. */
export function createToolSearch(meaning?: MeaningSearch): ToolSearch {
  const rankers = new WeakMap<View, IndexedRanker<Candidate>>()

  /** Made once for what is known. */
  async function rankerFor(view: View): Promise<IndexedRanker<Candidate>> {
    const { createToolRanker } = await import('@pith-mcp/scorer')
    let ranker = rankers.get(view)
    if (ranker === undefined) {
      ranker = createToolRanker(candidatesIn(view))
      rankers.set(view, ranker)
    }
    return ranker
  }

  return {
    async find(request, view, signal) {
      const { query, limit } = request
      const isWanted = filterOf(request)
      const isFiltered = [request.server, request.tags, request.readOnly].some(
        (one) => one !== undefined,
      )
      const ranker = await rankerFor(view)
      const ranked = ranker
        .rank(query, isFiltered ? {} : { limit: Math.max(limit * 2, meaning ? mostFused : 0) })
        .filter(({ item }) => isWanted(item))
      const byMeaning = await meaning?.find(query, view, signal)
      const all = byMeaning
        ? fuse(
            ranked,
            byMeaning.filter((offer) => isWanted(candidateOf(offer, view))),
            mostFused,
          )
        : ranked
      const hits = all.length >= limit ? all : [...all, ...partlyNamed(request, view, all)]
      return {
        hits: hits
          .flatMap(({ item: { offer }, reasons }) => (offer ? [{ offer, reasons }] : []))
          .slice(0, limit)
          .map(({ offer, reasons }) => ({ offer, reasons: briefly(reasons, offer) })),
        absent: hits.slice(0, limit).flatMap(({ item: { absent } }) => absent ?? []),
      }
    },
  }
}

/** Tools whose name holds what is asked for, in one piece. */
function partlyNamed(
  request: SearchRequest,
  view: View,
  found: readonly RankedCandidate[],
): RankedCandidate[] {
  const part = plainName(request.query)
  if (part.length < 3) return []
  const isWanted = filterOf(request)
  const known = new Set(found.map(({ item }) => item.offer))
  return view.tools
    .filter(
      (offer) => !known.has(offer) && plainName(`${offer.server.name}${offer.name}`).includes(part),
    )
    .filter((offer) => isWanted(candidateOf(offer, view)))
    .map((offer) => ({ item: { offer }, reasons: ['part of the name'] }))
}

function filterOf({ server, tags, readOnly }: SearchRequest): (item: Candidate) => boolean {
  return ({ server: own, offer, absent }) => {
    if (server !== undefined && own !== server) return false
    const of = [...(offer?.tags ?? []), ...((offer ?? absent)?.server.tags ?? [])]
    if (tags !== undefined && !of.some((tag) => tags.includes(tag))) return false
    return readOnly !== true || (offer !== undefined && saysItReadsOnly(offer.definition))
  }
}

function candidatesIn(view: View): Candidate[] {
  const absent = view.absent.map((tool): Candidate => {
    const { server, name } = tool
    // What a server says of a tool that is held is not even searched.
    return { name, server: server.name, serverDescription: server.description, absent: tool }
  })
  return [...view.tools.map((offer) => candidateOf(offer, view)), ...absent]
}

function candidateOf(offer: Offer, view: View): Candidate {
  const { server, definition, tags } = offer
  const info = view.entryOf(server.name)?.serverInfo
  const about = [server.description, info?.['title'], ...(server.tags ?? []), ...tags]
  return {
    name: offer.name,
    title: definition['title'] as string | undefined,
    description: definition['description'] as string | undefined,
    inputSchema: definition['inputSchema'],
    server: server.name,
    serverDescription: about.filter((text) => typeof text === 'string').join(' '),
    offer,
  }
}

const mostReasons = 1
const longestReason = 60

/** `name: creat`, `name: issu` become `name: create, issue`; a few are enough. */
function briefly(reasons: readonly string[], { name, definition }: Offer): string[] {
  const byField = new Map<string, string[]>()
  const text = `${name} ${definition['title'] ?? ''} ${definition['description'] ?? ''}`
  const words = text.match(wordPattern) ?? []
  for (const reason of reasons) {
    const [, field = reason, term] = /^([^:]*): (?:\d+ × )?(.*)$/.exec(reason) ?? []
    const found = term === undefined ? [] : [wholeWord(term, words)]
    byField.set(field, [...(byField.get(field) ?? []), ...found])
  }
  return [...byField]
    .slice(0, mostReasons)
    .map(([field, terms]) =>
      [field, [...new Set(terms)].join(', ')].filter(Boolean).join(': ').slice(0, longestReason),
    )
}

/** Of a name, its parts: `createIssue` has two. */
const wordPattern = /\p{Lu}?\p{Ll}+|\p{Lu}+|\p{L}+|\p{N}+/gu

/** The ranker knows words by their stems. */
function wholeWord(stem: string, words: readonly string[]): string {
  const begin = stem.slice(0, Math.max(3, stem.length - 1))
  const word = words.find((one) => one.toLowerCase().startsWith(begin))
  return word?.toLowerCase() ?? stem
}
