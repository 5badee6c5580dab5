import { createHash, randomBytes } from 'node:crypto'
import { AggregatorError } from '../../protocol/aggregator-error.ts'
import { jsonOf } from '../../protocol/json-of.ts'
import type { JsonObject } from '../../protocol/message.ts'
import { quoteValue } from '../../protocol/quote-value.ts'
import { type Budget, type Document, documentOf } from './document.ts'
import { leanLength, otherParts } from './other-parts.ts'
import type { Place } from './page-document.ts'
import type { ResultStore } from './result-store.ts'

/** Pages long results and reads stored ones. */
export interface Results {
  readonly budget: Budget
  /** The same, with results that only this owner can read. */
  of(owner: string): Results
  /** The result unchanged if it fits, otherwise its first page. */
  fit(result: JsonObject, budget?: Budget): Promise<JsonObject>
  /** A part of a stored result, paged if it is long. */
  page(document: Document, place: Place): Promise<string>
  /** @throws {AggregatorError} `unknown_result` */
  read(id: string): Promise<JsonObject>
}

/** Key in `_meta` under which programs find the id of the stored result. */
const metaKey = 'io.github.pith-mcp/result'

export function createResults(store: ResultStore, budget: Budget, owner = ''): Results {
  // Reading page after page parses the same result once.
  let last: { id: string; result: JsonObject } | undefined

  /** Ids appear in model contexts and may leak: the owner is part of the key. */
  const keyOf = (id: string): string => (owner === '' ? id : `${id}-${hashOf(owner)}`)

  async function firstPage(result: JsonObject, within: Budget): Promise<JsonObject> {
    // Loaded only for long results.
    const { pageDocument } = await import('./page-document.ts')
    const id = `r${randomBytes(6).toString('hex')}`
    const isKept = store.put(keyOf(id), jsonOf(result))
    const parts = otherParts(result, id, within.characters)
    const left = {
      characters: Math.max(1, within.characters - parts.length),
      tokens: Math.max(1, within.tokens - parts.length),
    }
    const lines = [
      pageDocument(documentOf(result), left, { args: { result: id } }),
      ...parts.notes,
      ...(isKept ? [] : ['[the result was too large to store: the rest cannot be read]']),
    ]
    const text = lines.filter((line) => line !== '').join('\n')
    return {
      ...parts.members,
      content: [...(text === '' ? [] : [{ type: 'text', text }]), ...parts.blocks],
      ...(result['isError'] !== undefined && { isError: result['isError'] }),
      _meta: { ...parts.meta, [metaKey]: { result: id } },
    }
  }

  return {
    budget,
    of: (other) => createResults(store, budget, other),
    async fit(result, within = budget) {
      const length = leanLength(result)
      if (length <= Math.min(within.characters, within.tokens)) return result
      if (length <= within.characters) {
        const { fitsBudget } = await import('./page-document.ts')
        if (fitsBudget(JSON.stringify(result['content'] ?? ''), within)) return result
      }
      return firstPage(result, within)
    },
    async page(document, place) {
      const { pageDocument } = await import('./page-document.ts')
      return pageDocument(document, budget, place)
    },
    async read(id) {
      if (last?.id === id) return last.result
      const text = /^r[0-9a-f]{12}$/.test(id) ? await store.get(keyOf(id)) : undefined
      if (text === undefined)
        throw new AggregatorError(
          'unknown_result',
          `There is no result ${quoteValue(id)}. Results are stored for an hour.`,
          'Call the tool again.',
        )
      last = { id, result: JSON.parse(text) as JsonObject }
      return last.result
    },
  }
}

const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 16)
