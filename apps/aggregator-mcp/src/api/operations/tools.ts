import { signatureOf, summaryOf } from '@pith-mcp/aggregator'
import { z } from 'zod'
import { textOf } from '../../text-of.ts'
import type { ApiContext } from '../operation/context.ts'
import { costOf } from '../operation/describe-server.ts'
import { type Operation, operation } from '../operation/operation.ts'
import { ApiError, notFound } from '../operation/problem.ts'
import {
  toolCall,
  toolDetail,
  toolOutcome,
  toolSearch,
  toolSearchAnswer,
  toolSummary,
} from '../schemas/tool.ts'

type View = ReturnType<ApiContext['aggregator']['gateway']['viewFor']>
type Offer = View['tools'][number]

const tag = 'tools'
/** Names of tools may have slashes, which have no place in a path. */
const one = z.object({ server: z.string(), name: z.string() })

export const toolOperations: readonly Operation[] = [
  operation({
    method: 'get',
    path: '/tools',
    tag,
    summary:
      'All tools that are known, also those that cannot be called; of one server, of one profile.',
    query: z.object({ server: z.string().optional(), profile: z.string().optional() }),
    answer: z.object({ tools: z.array(toolSummary) }),
    run({ query: { server, profile } }, context) {
      const { gateway } = context.aggregator
      if (
        profile !== undefined &&
        !Object.hasOwn(context.config().settings.profiles ?? {}, profile)
      )
        throw notFound(`profile ${JSON.stringify(profile)}`, 'GET /profiles lists those there are.')
      const session = { ...context.within, access: { profile } }
      const { tools, absent } = gateway.viewFor({ session, capabilities: {} })
      const isWanted = (one: { server: { name: string } }): boolean =>
        server === undefined || one.server.name === server
      return {
        tools: [
          ...tools.filter(isWanted).map(summarized),
          ...absent.filter(isWanted).map((tool) => ({
            server: tool.server.name,
            name: tool.name,
            summary: '',
            signature: tool.name,
            tokens: 0,
            isReadOnly: false,
            isDestructive: false,
            absent: tool.said,
          })),
        ],
      }
    },
  }),
  operation({
    method: 'post',
    path: '/tools/search',
    tag,
    summary: 'What search_tools says to a model.',
    body: toolSearch,
    answer: toolSearchAnswer,
    async run({ body, signal }, { aggregator }) {
      const result = await ask(aggregator, 'search_tools', body, signal)
      const text = textOf(result)
      return { text, tokens: costOf({ text }) }
    },
  }),
  operation({
    method: 'get',
    path: '/tools/definition',
    tag,
    summary: 'One tool, with its definition.',
    query: one,
    answer: toolDetail,
    run({ query: { server, name } }, context) {
      const { offer, view } = found(server, name, context)
      return {
        ...summarized(offer),
        definition: offer.definition,
        accounts: [...view.accountsOf(server)],
      }
    },
  }),
  operation({
    method: 'post',
    path: '/tools/call',
    tag,
    summary: 'Call it, as a client would; the call is in the journal.',
    body: toolCall,
    answer: toolOutcome,
    async run({ body, signal }, context) {
      const { server, name, account } = body
      const { offer, view } = found(server, name, context)
      if (account !== undefined && !view.accountsOf(server).includes(account))
        throw notFound(`account ${JSON.stringify(account)} of ${server}`)
      const started = performance.now()
      const args = { module: server, tool_name: offer.name, params: body.arguments, account }
      const result = await ask(context.aggregator, 'call', args, signal)
      return {
        result,
        isError: result['isError'] === true,
        ms: Math.round(performance.now() - started),
        tokens: costOf(result),
      }
    },
  }),
]

/**
 * As a client would, whatever clients of this process are shown. What a server refuses by an error of
 * the protocol is its own. @throws {ApiError}
 */
const ask = async (
  aggregator: ApiContext['aggregator'],
  name: string,
  args: object,
  signal: AbortSignal,
): Promise<Record<string, unknown>> =>
  aggregator
    .request(
      { method: 'tools/call', params: { name, arguments: args } },
      { mode: 'meta', as: 'console', signal },
    )
    .catch((error: unknown) => {
      const { code, message } = error as { code?: unknown; message?: string }
      if (typeof code !== 'number') throw error
      throw new ApiError(502, `rpc_${code}`, `The server answered with an error: ${message}`)
    })

function found(server: string, name: string, context: ApiContext): { offer: Offer; view: View } {
  const { gateway } = context.aggregator
  const view = gateway.viewFor({ session: context.within, capabilities: {} })
  const offer = view.tool(server, name)
  if (offer) return { offer, view }
  throw notFound(`tool ${JSON.stringify(name)} of ${server}`, 'GET /tools lists those there are.')
}

function summarized({ server, name, definition }: Offer): z.input<typeof toolSummary> {
  const { title, annotations = {} } = definition as {
    title?: unknown
    annotations?: { readOnlyHint?: unknown; destructiveHint?: unknown; title?: unknown }
  }
  const shown = title ?? annotations?.title
  return {
    server: server.name,
    name,
    ...(typeof shown === 'string' && { title: shown }),
    summary: summaryOf(definition, 240),
    signature: signatureOf(name, definition),
    tokens: costOf(definition),
    isReadOnly: annotations?.readOnlyHint === true,
    isDestructive: annotations?.destructiveHint === true,
  }
}
