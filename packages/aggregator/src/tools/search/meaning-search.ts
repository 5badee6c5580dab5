import { createHash } from 'node:crypto'
import type { EmbeddingEndpoint, Meaning, MeaningText, VectorStore } from '@pith-mcp/scorer'
import type { CatalogTool } from '../../catalog/catalog-tools.ts'
import type { ToolView } from '../../catalog/tool-view.ts'
import { oncePer } from '../../protocol/once-per.ts'

/** Finds tools by embeddings of an external model. */
export interface MeaningSearch {
  /**
   * Best first; undefined while there are no vectors or the model cannot be used. Never rejects.
   */
  find(query: string, view: ToolView, signal: AbortSignal): Promise<CatalogTool[] | undefined>
}

export interface MeaningOptions {
  endpoint: EmbeddingEndpoint
  store: VectorStore
  onLog: (text: string) => void
}

/** Ranks tools by embeddings. Texts are embedded once and stored; errors are logged, not thrown. */
export function createMeaningSearch({ endpoint, store, onLog }: MeaningOptions): MeaningSearch {
  const { model } = endpoint
  const textFor = oncePer((tool: CatalogTool) => keyed(textOf(tool), model))
  let loading: Promise<Meaning> | undefined

  return {
    async find(query, { tools }, signal) {
      loading ??= import('@pith-mcp/scorer').then(({ createMeaning, createOpenAiEmbedder }) =>
        createMeaning({ embed: createOpenAiEmbedder(endpoint), model, onLog }),
      )
      const meaning = await loading
      const found = await meaning.similarities(query, tools.map(textFor), store, signal)
      return found
        ?.flatMap((similarity, at) => {
          const tool = tools[at]
          return tool && similarity !== undefined ? [{ tool, similarity }] : []
        })
        .sort((one, other) => other.similarity - one.similarity)
        .map(({ tool }) => tool)
    },
  }
}

const keyed = (text: string, model: string): MeaningText => ({
  key: createHash('sha256').update(`${model}\0${text}`).digest('hex').slice(0, 32),
  text,
})

const maxTextLength = 2_000

const textOf = ({ server, name, definition }: CatalogTool): string =>
  `${server.name} ${name}: ${definition['title'] ?? ''} ${definition['description'] ?? ''}`.slice(
    0,
    maxTextLength,
  )
