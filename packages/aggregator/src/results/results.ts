import { randomBytes } from 'node:crypto'
import { AggregatorError } from '../aggregator-error.ts'
import type { Fields } from '../upstream/connection.ts'
import { type Document, documentOf, textsIn } from './document.ts'
import { withoutLargeBlocks } from './large-blocks.ts'
import type { Place } from './page-document.ts'
import type { ResultStore } from './result-store.ts'

/** What text may take in a reply. */
export interface Room {
  /** Default 20,000. */
  characters: number
  /** Of a model, as estimated. Default 10,000. */
  tokens: number
}

/** Makes long results fit, and knows the way to the rest of them. */
export interface Results {
  readonly room: Room
  /** The result as it is if it fits, else its first page. */
  fit(result: Fields, room?: Room): Promise<Fields>
  /** A part of a kept result, in pages if it is long. */
  page(document: Document, place: Place): Promise<string>
  /** @throws {AggregatorError} `unknown_result` */
  read(id: string): Promise<Fields>
}

/** Where programs find under which name the whole result is kept. */
export const metaKey = 'io.github.pith-mcp/result'

export function createResults(store: ResultStore, room: Room): Results {
  return {
    room,
    async fit(result, within = room) {
      const bare = withoutLargeBlocks(result)
      if (bare.isWhole && isSurelyShort(result, within)) return result
      // Loaded only for what may be long.
      const { fitsRoom, pageDocument } = await import('./page-document.ts')
      if (bare.isWhole && fitsRoom(everythingIn(result), within)) return result
      const id = `r${randomBytes(6).toString('hex')}`
      store.put(id, JSON.stringify(result))
      const text = pageDocument(documentOf(result), within, { args: { result: id } })
      const { structuredContent: _, ...rest } = result
      return {
        ...rest,
        content: [...(text === '' ? [] : [{ type: 'text', text }]), ...bare.blocksFor(id)],
        _meta: { ...(result['_meta'] as object | undefined), [metaKey]: { result: id } },
      }
    },
    async page(document, place) {
      const { pageDocument } = await import('./page-document.ts')
      return pageDocument(document, room, place)
    },
    async read(id) {
      const text = /^r[0-9a-f]{12}$/.test(id) ? await store.get(id) : undefined
      if (text !== undefined) return JSON.parse(text) as Fields
      throw new AggregatorError(
        'unknown_result',
        `There is no result ${JSON.stringify(id)}; results are kept for an hour.`,
        'Call the tool again.',
      )
    },
  }
}

/** Found out without counting tokens: no script needs more than about one for a sign. */
function isSurelyShort(result: Fields, { characters, tokens }: Room): boolean {
  const { structuredContent } = result
  const structured = structuredContent === undefined ? 0 : JSON.stringify(structuredContent).length
  const length = textsIn(result).reduce((sum, text) => sum + text.length, structured)
  return length <= Math.min(characters, tokens)
}

function everythingIn(result: Fields): string {
  const { structuredContent } = result
  const texts = textsIn(result)
  if (structuredContent !== undefined) texts.push(JSON.stringify(structuredContent))
  return texts.join('\n')
}
