import type { JsonObject } from '../../servers/src/protocol/message.ts'
import { answerRequest } from '../src/server/methods/answer-request.ts'
import { configOf, createClient, type FakeServer } from './fake-servers.ts'
import { openAggregator } from './open-aggregator.ts'

/** An aggregator of fake servers, and a client that asks it. */
export function openAsked(
  fakes: Record<string, FakeServer>,
  options: Partial<Parameters<typeof openAggregator>[1]> = {},
) {
  const servers = Object.keys(fakes).map((name) => configOf(name))
  const opened = openAggregator(fakes, { servers, ...options })
  const context = createClient().context()
  const ask = (method: string, params: JsonObject = {}) =>
    answerRequest({ method, params }, context, opened.aggregator.deps)
  return { ...opened, ask, context }
}
