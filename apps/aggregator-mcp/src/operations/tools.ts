import { signatureOf, summaryOf } from '@pith-mcp/aggregator'
import { z } from 'zod'
import { textOf } from '../text-of.ts'
import { checkProfile, type OperationContext, ownerView } from './context.ts'
import { costOf } from './described-server.ts'
import { component, type Operation, operation, type Performer } from './operation.ts'
import { ApiError, notFound } from './problem.ts'

const toolSummary = component('ToolSummary', {
  server: z.string(),
  name: z.string().describe('The name that clients use.'),
  title: z.string().optional(),
  summary: z.string().describe('The first sentence of the description.'),
  signature: z.string().describe('Name and parameters in one line. * marks required ones.'),
  tokens: z.int().describe('Tokens of its definition in a tool list.'),
  isReadOnly: z.boolean().describe('It is annotated as read-only.'),
  isDestructive: z.boolean().describe('It is annotated as destructive.'),
  absent: z.string().optional().describe('Why it cannot be called, and how to fix that.'),
})

const definition = z
  .record(z.string(), z.unknown())
  .describe('As the server returned it: name, description, inputSchema, outputSchema, annotations.')

const toolDetail = toolSummary
  .extend({
    definition,
    accounts: z
      .array(z.string())
      .describe('The default account first. Empty if the server has none.'),
  })
  .meta({ id: 'ToolDetail' })

const toolCall = component('ToolCall', {
  server: z.string(),
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).default({}),
  account: z.string().optional(),
  again: z.boolean().optional().describe('Send it although its outcome is unknown.'),
})

export const toolOutcome = component('ToolOutcome', {
  result: z
    .record(z.string(), z.unknown())
    .describe('As a client would get it, in pages if it is long.'),
  isError: z.boolean(),
  ms: z.number(),
  tokens: z.int(),
})

const toolSearch = component('ToolSearch', {
  query: z.string().min(1).max(2_000),
  server: z.string().optional(),
  tags: z.array(z.string()).optional(),
  read_only: z.boolean().optional(),
  limit: z.int().min(1).max(50).optional(),
})

const toolSearchAnswer = component('ToolSearchAnswer', {
  text: z.string().describe('What search_tools returns to a model.'),
  tokens: z.int(),
})

type View = ReturnType<OperationContext['aggregator']['gateway']['viewFor']>
type VisibleTool = View['tools'][number]

/** In the query: names of tools may contain slashes, which a path cannot. */
const toolQuery = z.object({ server: z.string(), name: z.string() })

export const toolOperations: readonly Operation[] = [
  operation({
    method: 'get',
    path: '/tools',
    summary:
      'List all known tools, also those that cannot be called; optionally of one server or profile.',
    query: z.object({ server: z.string().optional(), profile: z.string().optional() }),
    answer: z.object({ tools: z.array(toolSummary) }),
    run({ server, profile }, context) {
      const { gateway } = context.aggregator
      checkProfile(profile, context)
      const session = { ...context.ownerSession, access: { profile } }
      const { tools, absent } = gateway.viewFor({ session, capabilities: {} })
      const isRequested = (tool: { server: { name: string } }): boolean =>
        server === undefined || tool.server.name === server
      return {
        tools: [
          ...tools.filter(isRequested).map(summarized),
          ...absent.filter(isRequested).map((tool) => ({
            server: tool.server.name,
            name: tool.name,
            summary: '',
            signature: tool.name,
            tokens: 0,
            isReadOnly: false,
            isDestructive: false,
            absent: tool.reason,
          })),
        ],
      }
    },
  }),
  operation({
    method: 'post',
    path: '/tools/search',
    summary: 'Search tools as a model does with search_tools.',
    body: toolSearch,
    answer: toolSearchAnswer,
    async run(input, { aggregator }, performer) {
      const result = await callOwnTool(aggregator, 'search_tools', input, performer)
      const text = textOf(result)
      return { text, tokens: costOf({ text }) }
    },
  }),
  operation({
    method: 'get',
    path: '/tools/definition',
    summary: 'Get a tool with its definition.',
    query: toolQuery,
    answer: toolDetail,
    run({ server, name }, context) {
      const { tool, view } = findTool(server, name, context)
      return {
        ...summarized(tool),
        definition: tool.definition,
        accounts: [...view.accountsOf(server)],
      }
    },
  }),
  operation({
    method: 'post',
    path: '/tools/call',
    summary: 'Call a tool as a client would. The call is recorded in the journal.',
    body: toolCall,
    answer: toolOutcome,
    async run({ server, name, account, again, arguments: params }, context, performer) {
      const { tool, view } = findTool(server, name, context)
      if (account !== undefined && !view.accountsOf(server).includes(account))
        throw notFound(`account ${JSON.stringify(account)} of ${server}`)
      const args = { module: server, tool_name: tool.name, params, account, again }
      return outcomeOf(() => callOwnTool(context.aggregator, 'call', args, performer))
    },
  }),
]

type Aggregator = OperationContext['aggregator']
type Result = Record<string, unknown>

/** What a request returned, how long it took, and what it costs. */
export async function outcomeOf(request: () => Promise<Result>) {
  const started = performance.now()
  const result = await request()
  const ms = Math.round(performance.now() - started)
  return { result, isError: result['isError'] === true, ms, tokens: costOf(result) }
}

/** Call a meta-tool as a client would. @throws {ApiError} */
const callOwnTool = (
  aggregator: Aggregator,
  name: string,
  args: object,
  performer: Performer,
): Promise<Result> =>
  resultOf(aggregator, { method: 'tools/call', params: { name, arguments: args } }, performer)

/**
 * Answer a request as that of a client, whatever the list mode of this process. A protocol error of
 * the server becomes a 502.
 * @throws {ApiError}
 */
export const resultOf = async (
  aggregator: Aggregator,
  message: Parameters<Aggregator['request']>[0],
  { caller, signal }: Performer,
): Promise<Result> =>
  aggregator
    .request(message, { mode: 'meta', as: 'console', access: { caller, isGuest: true }, signal })
    .catch((error: unknown) => {
      const { code, message } = error as { code?: unknown; message?: string }
      if (typeof code !== 'number') throw error
      throw new ApiError(502, `rpc_${code}`, `The server replied with an error: ${message}`)
    })

function findTool(
  server: string,
  name: string,
  context: OperationContext,
): { tool: VisibleTool; view: View } {
  const view = ownerView(context)
  const tool = view.tool(server, name)
  if (tool) return { tool, view }
  throw notFound(`tool ${JSON.stringify(name)} of ${server}`, 'GET /tools lists them.')
}

function summarized({ server, name, definition }: VisibleTool): z.input<typeof toolSummary> {
  const { title, annotations = {} } = definition as {
    title?: unknown
    annotations?: { readOnlyHint?: unknown; destructiveHint?: unknown; title?: unknown }
  }
  const displayTitle = title ?? annotations?.title
  return {
    server: server.name,
    name,
    ...(typeof displayTitle === 'string' && { title: displayTitle }),
    summary: summaryOf(definition, 240),
    signature: signatureOf(name, definition),
    tokens: costOf(definition),
    isReadOnly: annotations?.readOnlyHint === true,
    isDestructive: annotations?.destructiveHint === true,
  }
}
