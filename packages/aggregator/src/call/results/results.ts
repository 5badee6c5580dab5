import { createHash, randomBytes } from 'node:crypto'
import { AggregatorError } from '../../protocol/aggregator-error.ts'
import type { Fields } from '../../protocol/message.ts'
import { shown } from '../../protocol/shown.ts'
import { type Document, documentOf, type Room } from './document.ts'
import { leanLength, otherParts } from './other-parts.ts'
import type { Place } from './page-document.ts'
import type { ResultStore } from './result-store.ts'

/** Makes long results fit, and knows the way to the rest of them. */
export interface Results {
  readonly room: Room
  /** The same, with results that only one kind of caller can read on in. */
  of(owner: string): Results
  /** The result as it is if it fits, else its first page. */
  fit(result: Fields, room?: Room): Promise<Fields>
  /** A part of a kept result, in pages if it is long. */
  page(document: Document, place: Place): Promise<string>
  /** @throws {AggregatorError} `unknown_result` */
  read(id: string): Promise<Fields>
}

/** Where programs find under which name the whole result is kept. */
const metaKey = 'io.github.pith-mcp/result'

export function createResults(store: ResultStore, room: Room, owner = ''): Results {
  // Whoever reads page after page reads one result.
  let last: { id: string; result: Fields } | undefined

  /** The ids are said to models, and may be said again to others. */
  const keyOf = (id: string): string => (owner === '' ? id : `${id}-${hashOf(owner)}`)

  async function firstPage(result: Fields, within: Room): Promise<Fields> {
    // Loaded only for what is long.
    const { pageDocument } = await import('./page-document.ts')
    const id = `r${randomBytes(6).toString('hex')}`
    const isKept = store.put(keyOf(id), JSON.stringify(result))
    const parts = otherParts(result, id, within.characters)
    const left = {
      characters: Math.max(1, within.characters - parts.length),
      tokens: Math.max(1, within.tokens - parts.length),
    }
    const text = [
      pageDocument(documentOf(result), left, { args: { result: id } }),
      ...parts.said,
      ...(isKept ? [] : ['[the whole was too large to keep: what is not shown cannot be read]']),
    ]
    const said = text.filter((line) => line !== '').join('\n')
    return {
      ...parts.members,
      content: [...(said === '' ? [] : [{ type: 'text', text: said }]), ...parts.blocks],
      ...(result['isError'] !== undefined && { isError: result['isError'] }),
      _meta: { ...parts.meta, [metaKey]: { result: id } },
    }
  }

  return {
    room,
    of: (other) => createResults(store, room, other),
    async fit(result, within = room) {
      const length = leanLength(result)
      if (length <= Math.min(within.characters, within.tokens)) return result
      if (length <= within.characters) {
        const { fitsRoom } = await import('./page-document.ts')
        if (fitsRoom(JSON.stringify(result['content'] ?? ''), within)) return result
      }
      return firstPage(result, within)
    },
    async page(document, place) {
      const { pageDocument } = await import('./page-document.ts')
      return pageDocument(document, room, place)
    },
    async read(id) {
      if (last?.id === id) return last.result
      const text = /^r[0-9a-f]{12}$/.test(id) ? await store.get(keyOf(id)) : undefined
      if (text === undefined)
        throw new AggregatorError(
          'unknown_result',
          `There is no result ${shown(id)}; results are kept for an hour.`,
          'Call the tool again.',
        )
      last = { id, result: JSON.parse(text) as Fields }
      return last.result
    },
  }
}

const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 16)
