import { AggregatorError } from '../../protocol/aggregator-error.ts'
import { type JsonObject, RpcError } from '../../protocol/message.ts'
import { NeedsSignIn } from '../../upstream/connection/needs-sign-in.ts'
import { documentOf } from '../results/document.ts'
import type { Results } from '../results/results.ts'
import type { OwnTool } from './own-tool.ts'

/** The result, and the failure that it reports, if any. */
export interface Reply {
  result: JsonObject
  failure?: AggregatorError
}

interface Replying {
  own: OwnTool | undefined
  isVerbatim: boolean
  results: Results
}

/** Runs `work`; errors that the client can correct become results. */
export async function asReply(
  { own, isVerbatim, results }: Replying,
  work: () => Promise<JsonObject>,
): Promise<Reply> {
  try {
    return { result: await work() }
  } catch (thrown) {
    const isCall = own === undefined || own.name === 'call'
    const error = isCall && thrown instanceof NeedsSignIn ? await thrown.begin() : thrown
    if (!(error instanceof AggregatorError))
      throw isVerbatim ? error : await bounded(error, results)
    const text = `${error.message} ${error.remedy}`
    const result = { content: [{ type: 'text', text }], isError: true }
    return { result: await results.fit(result), failure: error }
  }
}

/** An error of a server is unchanged, unless it is longer than the budget of a reply. */
async function bounded(error: unknown, results: Results): Promise<unknown> {
  const { message, code, data } = error as { message?: string; code?: unknown; data?: unknown }
  if (typeof code !== 'number') return error
  const text = data === undefined ? `${message}` : `${message}\n\n${JSON.stringify(data)}`
  if (text.length <= results.budget.tokens) return error
  const fitted = await results.fit({ content: [{ type: 'text', text }] })
  return new RpcError(code, documentOf(fitted).text)
}
