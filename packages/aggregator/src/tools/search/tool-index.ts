import type { IndexedRanker, ToolText } from '@pith-mcp/scorer'
import { oncePer } from '#servers/protocol/once-per'
import type { AbsentTool, CatalogTool } from '../../catalog/catalog-tools.ts'
import type { ToolView } from '../../catalog/tool-view.ts'

/** A tool of a view that can be found: one that can be called, or one that cannot. */
export type Candidate =
  | { tool: CatalogTool; absent?: undefined }
  | { tool?: undefined; absent: AbsentTool }

/** The texts of a view in the index, each with its tool. */
export interface IndexedView {
  ranker: IndexedRanker<ToolText>
  candidates: ReadonlyMap<ToolText, Candidate>
  /** True if the index has texts of other views, too. */
  isPart(): boolean
}

/** Milliseconds for which the event loop is held at a time; 9,000 tools take 300. */
const sliceMs = 8
/** Texts of views that are gone are dropped when there may be more of them than of others. */
const maxUnused = 1_000

/** One index for all views. A text is indexed once, and again only when it changes. */
export class ToolIndex {
  readonly of = oncePer((view: ToolView) => this.#index(view))
  /** The latest text of each definition. */
  readonly #latest = new Map<unknown, ToolText>()
  readonly #texts = new Set<ToolText>()
  #views: WeakRef<IndexedView>[] = []
  #swept = 0
  #ranker: Promise<IndexedRanker<ToolText>> | undefined

  async #index(view: ToolView): Promise<IndexedView> {
    this.#ranker ??= import('@pith-mcp/scorer').then((scorer) => scorer.createToolRanker([]))
    const ranker = await this.#ranker
    const candidates = new Map<ToolText, Candidate>()
    const indexedView: IndexedView = {
      ranker,
      candidates,
      isPart: () => this.#texts.size > candidates.size,
    }
    this.#views.push(new WeakRef(indexedView))
    let began = performance.now()
    for (const candidate of candidatesIn(view)) {
      candidates.set(this.#enter(candidate, view, ranker), candidate)
      if (performance.now() - began < sliceMs) continue
      await new Promise(setImmediate)
      began = performance.now()
    }
    if (this.#texts.size > 2 * this.#swept + maxUnused) this.#sweep(ranker)
    return indexedView
  }

  #enter(candidate: Candidate, view: ToolView, ranker: IndexedRanker<ToolText>): ToolText {
    const text = textOf(candidate, view)
    const key = candidate.tool?.definition ?? `${text.server}\0${text.name}`
    const previous = this.#latest.get(key)
    if (previous?.name === text.name && previous.serverDescription === text.serverDescription)
      return previous
    ranker.add(text)
    this.#latest.set(key, text)
    this.#texts.add(text)
    return text
  }

  #sweep(ranker: IndexedRanker<ToolText>): void {
    this.#views = this.#views.filter((view) => view.deref() !== undefined)
    const used = new Set(
      this.#views.flatMap((view) => [...(view.deref()?.candidates.keys() ?? [])]),
    )
    for (const text of this.#texts)
      if (!used.has(text)) {
        ranker.remove(text)
        this.#texts.delete(text)
      }
    for (const [key, text] of this.#latest) if (!used.has(text)) this.#latest.delete(key)
    this.#swept = this.#texts.size
  }
}

const candidatesIn = ({ tools, absent }: ToolView): Candidate[] => [
  ...tools.map((tool) => ({ tool })),
  ...absent.map((tool) => ({ absent: tool })),
]

function textOf({ tool, absent }: Candidate, view: ToolView): ToolText {
  // The description of a held tool is not searched either.
  if (absent !== undefined)
    return {
      name: absent.name,
      server: absent.server.name,
      serverDescription: absent.server.description,
    }
  const { server, definition, tags } = tool
  const info = view.entryOf(server.name)?.serverInfo
  const about = [server.description, info?.['title'], ...(server.tags ?? []), ...tags]
  return {
    name: tool.name,
    title: definition['title'] as string | undefined,
    description: definition['description'] as string | undefined,
    inputSchema: definition['inputSchema'],
    server: server.name,
    serverDescription: about.filter((text) => typeof text === 'string').join(' '),
  }
}
