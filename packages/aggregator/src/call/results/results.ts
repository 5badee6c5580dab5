import { createHash, randomBytes } from 'node:crypto'
import { AggregatorError } from '#servers/protocol/aggregator-error'
import { type JsonObject, jsonOf } from '#servers/protocol/message'
import { quoteValue } from '#servers/protocol/quote-value'
import { type Budget, blocksIn, documentOf } from './document.ts'
import { leanLength } from './other-parts.ts'
import { createPartReader } from './part-reader.ts'
import type { Part } from './read-part.ts'
import type { ResultStore } from './result-store.ts'
import type { ResultFiles } from './tiered-result-store.ts'

/** Pages long results and reads stored ones. */
export interface Results {
  readonly budget: Budget
  /** The same, with results that only this owner can read. */
  of(owner: string): Results
  /** The result unchanged if it fits, otherwise its first page. */
  fit(result: JsonObject, budget?: Budget): Promise<JsonObject>
  /**
   * A part of a stored result, paged if it is long.
   * @throws {AggregatorError} `unknown_result`, `bad_argument`, `timeout`
   */
  read(id: string, part: Part): Promise<JsonObject>
  /** Deletes the stored results. */
  close(): Promise<void>
}

/** With `files`, the first page of a long result names a file with its text. */
export function createResults(store: ResultStore, budget: Budget, files?: ResultFiles): Results {
  const reader = createPartReader()
  return resultsOf('')

  function resultsOf(owner: string): Results {
    /** Ids appear in model contexts and may leak: the owner is part of the key. */
    const keyOf = (id: string): string => (owner === '' ? id : `${id}-${hashOf(owner)}`)
    return {
      budget,
      of: resultsOf,
      async fit(result, within = budget) {
        if (await isWithin(result, within)) return result
        const id = `r${randomBytes(6).toString('hex')}`
        const text = jsonOf(result)
        const isKept = await store.put(keyOf(id), text)
        const page = await reader.read({ id, text, budget: within, isKept }, result)
        const path = files?.write(id, documentOf(result).text)
        return path === undefined ? page : withFile(page, path)
      },
      async read(id, part) {
        const text = /^r[0-9a-f]{12}$/.test(id) ? await store.get(keyOf(id)) : undefined
        if (text === undefined)
          throw new AggregatorError(
            'unknown_result',
            `There is no result ${quoteValue(id)}. Results are stored for an hour.`,
            'Call the tool again.',
          )
        return reader.read({ id, text, budget, part })
      },
      async close() {
        store.close()
        files?.close()
        await reader.close()
      },
    }
  }
}

const withFile = (page: JsonObject, path: string): JsonObject => ({
  ...page,
  content: [...blocksIn(page), { type: 'text', text: `[the whole text is in ${path}]` }],
})

async function isWithin(result: JsonObject, { characters, tokens }: Budget): Promise<boolean> {
  const length = leanLength(result)
  if (length <= Math.min(characters, tokens)) return true
  if (length > characters) return false
  const { fitsBudget } = await import('./page-document.ts')
  return fitsBudget(JSON.stringify(result['content'] ?? ''), { characters, tokens })
}

const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 16)
