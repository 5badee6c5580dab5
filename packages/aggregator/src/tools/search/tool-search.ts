import type { ToolText } from '@pith-mcp/scorer'
import { oncePer } from '#servers/protocol/once-per'
import { plainName } from '#servers/protocol/plain-name'
import { accountsWith } from '../../catalog/account-parameter.ts'
import type { AbsentTool, CatalogTool } from '../../catalog/catalog-tools.ts'
import { saysItReadsOnly } from '../../catalog/policy/tool-rules.ts'
import type { ToolView } from '../../catalog/tool-view.ts'
import type { Trust } from '../../catalog/trust/trust.ts'
import type { RankedCandidate, ToolMeaning } from './rank-by-meaning.ts'
import { type Candidate, ToolIndex } from './tool-index.ts'

interface SearchRequest {
  query: string
  /** Only tools of this server. */
  server?: string | undefined
  /** Only tools with one of these tags, or of a server with one. */
  tags?: readonly string[] | undefined
  /** Only tools that are marked as read-only. */
  readOnly?: boolean | undefined
  /** Only tools of accounts of this name. */
  account?: string | undefined
  limit: number
}

export interface SearchHit {
  tool: CatalogTool
  /** Why it matches: `name: create, issue`. */
  reasons: readonly string[]
}

export interface SearchAnswer {
  /** Best first. */
  hits: SearchHit[]
  /** Matching tools that cannot be called. */
  absent: AbsentTool[]
  /** What was not compared by meaning. */
  note?: string | undefined
}

export type ToolSearch = ReturnType<typeof createToolSearch>

/** Tools from which on the index is built before the first search. */
const minPrepared = 500

/** Searches by words, and by meaning if there is a model. */
export function createToolSearch(trust: Pick<Trust, 'review'>, meaning?: ToolMeaning) {
  const index = new ToolIndex()
  return {
    /** Reviews and indexes a large view in the background, one server at a time. */
    async prepare(view: ToolView): Promise<void> {
      const units = view.servers.flatMap((unit) => {
        const entry = view.entryOf(unit.name)
        return entry ? [{ unit, entry }] : []
      })
      const tools = units.reduce((sum, { entry }) => sum + entry.tools.length, 0)
      if (tools < minPrepared) return
      for (const { unit, entry } of units) {
        await new Promise(setImmediate)
        trust.review(unit, entry)
      }
      await index.of(view)
    },
    async find(
      request: SearchRequest,
      view: ToolView,
      signal?: AbortSignal,
    ): Promise<SearchAnswer> {
      const { query, limit } = request
      const isRequested = filterOf(request, view)
      const { ranker, candidates, isPart } = await index.of(view)
      const candidateOf = (text: ToolText): Candidate | undefined => {
        const candidate = candidates.get(text)
        return candidate && isRequested(candidate) ? candidate : undefined
      }
      const isFiltered = [request.server, request.tags, request.readOnly, request.account].some(
        (filter) => filter !== undefined,
      )
      const ranked = ranker
        .rank(query, {
          limit: limit * 2,
          ...((isFiltered || isPart()) && { among: (text) => candidateOf(text) !== undefined }),
        })
        .flatMap((hit): RankedCandidate[] => {
          const item = candidateOf(hit.item)
          return item ? [{ item, score: hit.score, reasons: hit.reasons }] : []
        })
      const byWords =
        ranked.length >= limit ? ranked : [...ranked, ...partlyNamed(request, view, ranked)]
      const tools = meaning ? view.tools.filter((tool) => isRequested({ tool })) : []
      const { ranked: hits, note } = (await meaning?.(query, byWords, tools, limit, signal)) ?? {
        ranked: byWords,
      }
      return {
        hits: hits
          .flatMap(({ item: { tool }, reasons }) => (tool ? [{ tool, reasons }] : []))
          .slice(0, limit)
          .map(({ tool, reasons }) => ({ tool, reasons: briefly(reasons, tool) })),
        absent: hits.slice(0, limit).flatMap(({ item: { absent } }) => absent ?? []),
        note,
      }
    },
  }
}

const plainNamesOf = oncePer(({ tools }: ToolView) =>
  tools.map((tool) => plainName(`${tool.server.name}${tool.name}`)),
)

/** Tools whose name contains the query as one piece. */
function partlyNamed(
  request: SearchRequest,
  view: ToolView,
  ranking: readonly RankedCandidate[],
): RankedCandidate[] {
  const part = plainName(request.query)
  if (part.length < 3) return []
  const isRequested = filterOf(request, view)
  const hits = new Set(ranking.map(({ item }) => item.tool))
  const names = plainNamesOf(view)
  return view.tools
    .filter((tool, at) => names[at]?.includes(part) && !hits.has(tool) && isRequested({ tool }))
    .map((tool) => ({ item: { tool }, score: 0, reasons: ['part of the name'] }))
}

function filterOf(
  { server, tags, readOnly, account }: SearchRequest,
  view: ToolView,
): (item: Candidate) => boolean {
  return ({ tool, absent }) => {
    const unit = (tool ?? absent).server
    if (account !== undefined && !(tool && accountsWith(tool, view).includes(account))) return false
    if (server !== undefined && unit.name !== server) return false
    const of = [...(tool?.tags ?? []), ...(unit.tags ?? [])]
    if (tags !== undefined && !of.some((tag) => tags.includes(tag))) return false
    return readOnly !== true || (tool !== undefined && saysItReadsOnly(tool.definition))
  }
}

const maxReasons = 1
const maxReasonLength = 60

/** Turns `name: creat`, `name: issu` into `name: create, issue` and shortens the list. */
function briefly(reasons: readonly string[], { name, definition }: CatalogTool): string[] {
  const byField = new Map<string, string[]>()
  const text = `${name} ${definition['title'] ?? ''} ${definition['description'] ?? ''}`
  const words = text.match(wordPattern) ?? []
  for (const reason of reasons) {
    const [, field = reason, term] = /^([^:]*): (?:\d+ × )?(.*)$/.exec(reason) ?? []
    const terms = term === undefined ? [] : [wholeWord(term, words)]
    byField.set(field, [...(byField.get(field) ?? []), ...terms])
  }
  return [...byField]
    .slice(0, maxReasons)
    .map(([field, terms]) =>
      [field, [...new Set(terms)].join(', ')].filter(Boolean).join(': ').slice(0, maxReasonLength),
    )
}

/** Splits names: `createIssue` has two words. */
const wordPattern = /\p{Lu}?\p{Ll}+|\p{Lu}+|\p{L}+|\p{N}+/gu

/** Finds the word for a stem: the ranker returns stems. */
function wholeWord(stem: string, words: readonly string[]): string {
  const begin = stem.slice(0, Math.max(3, stem.length - 1))
  const word = words.find((candidate) => candidate.toLowerCase().startsWith(begin))
  return word?.toLowerCase() ?? stem
}
