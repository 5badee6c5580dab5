import { scanned, serverError } from '#scan/server-text'
import { NeedsSignIn } from '#servers/connection/needs-sign-in'
import { AggregatorError } from '#servers/protocol/aggregator-error'
import { type JsonObject, RpcError } from '#servers/protocol/message'
import { documentOf } from '../results/document.ts'
import type { Results } from '../results/results.ts'
import type { BoundMetaTool } from './bound-meta-tool.ts'

/** The result, and the failure that it reports, if any. */
export interface Reply {
  result: JsonObject
  failure?: AggregatorError
}

interface Replying {
  metaTool: BoundMetaTool | undefined
  isVerbatim: boolean
  results: Results
}

/** Runs `work`; errors that the client can correct become results. */
export async function asReply(
  { metaTool, isVerbatim, results }: Replying,
  work: () => Promise<JsonObject>,
): Promise<Reply> {
  try {
    return { result: await work() }
  } catch (thrown) {
    const isCall = metaTool === undefined || metaTool.name === 'call'
    const error = isCall && thrown instanceof NeedsSignIn ? await thrown.begin() : thrown
    if (!(error instanceof AggregatorError))
      throw isVerbatim ? withScannedText(error) : await asServerText(error, results)
    const text = `${error.message} ${error.remedy}`
    const result = { content: [{ type: 'text', text }], isError: true }
    return { result: await results.fit(result), failure: error }
  }
}

/** Characters of an error that are passed on. */
const maxErrorLength = 200_000

/** An error of a server between tags, bounded by the budget of a reply. */
async function asServerText(error: unknown, results: Results): Promise<unknown> {
  const { message, code, data } = error as { message?: string; code?: unknown; data?: JsonObject }
  if (typeof code !== 'number' || error instanceof RpcError) return error
  const detail = data === undefined ? `${message}` : `${message}\n\n${JSON.stringify(data)}`
  const more = detail.length - maxErrorLength
  const text = more > 0 ? `${detail.slice(0, maxErrorLength)}… (${more} more characters)` : detail
  const isClean = scanned(text) === text
  if (isClean && text.length <= results.budget.tokens)
    return new RpcError(code, serverError(`${message}`), data)
  const fitted = await results.fit({ content: [{ type: 'text', text: serverError(text) }] })
  return new RpcError(code, documentOf(fitted).text)
}

/** An error of a server as it is, unless it instructs the model. */
export function withScannedText(error: unknown): unknown {
  const { message, code, data } = error as { message?: string; code?: unknown; data?: unknown }
  if (typeof code !== 'number' || error instanceof RpcError) return error
  const text = data === undefined ? `${message}` : `${message} ${JSON.stringify(data)}`
  const clean = scanned(text)
  return clean === text ? error : new RpcError(code, clean)
}
