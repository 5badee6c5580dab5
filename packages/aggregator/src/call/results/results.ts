import { createHash, randomBytes } from 'node:crypto'
import { AggregatorError } from '#servers/protocol/aggregator-error'
import { type JsonObject, jsonOf } from '#servers/protocol/message'
import { quoteValue } from '#servers/protocol/quote-value'
import { type Budget, type Budgets, blocksIn, documentOf, lesser, wholeOf } from './document.ts'
import { leanLength } from './other-parts.ts'
import { createPartReader } from './part-reader.ts'
import type { Part } from './read-part.ts'
import type { ResultStore } from './result-store.ts'
import type { Wanted } from './select.ts'
import type { ResultFiles } from './tiered-result-store.ts'

/** Pages long results and reads stored ones. */
export interface Results {
  /** Of a reply. */
  readonly budget: Budget
  /** The same, with results that only this owner can read. */
  of(owner: string): Results
  /** The result unchanged if it fits a reply, otherwise its first page. */
  fit(result: JsonObject, budget?: Budget): Promise<JsonObject>
  /** What a call of a tool replies: what it selects, the result if it is short, or a first page. */
  reply(result: JsonObject, call: Replying): Promise<JsonObject>
  /**
   * A part of a stored result, paged if it is long.
   * @throws {AggregatorError} `unknown_result`, `bad_argument`, `timeout`
   */
  read(id: string, part: Part): Promise<JsonObject>
  /**
   * The value at a path of a stored result, or all of it: its JSON, or its text.
   * @throws {AggregatorError} `unknown_result`; `bad_argument` for a path with none or several values
   */
  value(id: string, path?: string): Promise<unknown>
  /** Deletes the stored results. */
  close(): Promise<void>
}

interface Replying {
  /** Arguments of the call, if they are known. */
  params?: unknown
  select?: Wanted | undefined
  /** The room that there is; otherwise a whole reply. */
  room?: Budget
}

/** With `files`, the first page of a long result names a file with its text. */
export function createResults(store: ResultStore, budgets: Budgets, files?: ResultFiles): Results {
  const reader = createPartReader()
  return resultsOf('')

  function resultsOf(owner: string): Results {
    /** Ids appear in model contexts and may leak: the owner is part of the key. */
    const keyOf = (id: string): string => (owner === '' ? id : `${id}-${hashOf(owner)}`)

    async function stored(id: string): Promise<string> {
      const text = /^r[0-9a-f]{12}$/.test(id) ? await store.get(keyOf(id)) : undefined
      if (text !== undefined) return text
      throw new AggregatorError(
        'unknown_result',
        `There is no result ${quoteValue(id)}. Results are stored for an hour.`,
        'Call the tool again.',
      )
    }

    async function page(result: JsonObject, within: Budgets, call: Replying): Promise<JsonObject> {
      const id = `r${randomBytes(6).toString('hex')}`
      const text = jsonOf(result)
      const isKept = await store.put(keyOf(id), text)
      const first = await reader.read(
        { id, text, budgets: within, call: { ...call, isKept } },
        result,
      )
      const path = files?.write(id, documentOf(result).text)
      return path === undefined ? first : withFile(first, path)
    }

    return {
      budget: budgets.reply,
      of: resultsOf,
      async fit(result, reply = budgets.reply) {
        return (await isWithin(result, reply)) ? result : page(result, { ...budgets, reply }, {})
      },
      async reply(result, { params, select, room = budgets.reply }) {
        const within = { reply: room, first: lesser(budgets.first, room) }
        // What has failed says why, whatever was selected.
        const wanted = result['isError'] === true ? undefined : select
        const isShort = wanted === undefined && (await isWithin(result, wholeOf(within)))
        return isShort ? result : page(result, within, { params, select: wanted })
      },
      async read(id, part) {
        return reader.read({ id, text: await stored(id), budgets, part })
      },
      async value(id, path) {
        const { value } = await reader.read({
          id,
          text: await stored(id),
          budgets,
          part: { value: { path } },
        })
        return value
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
