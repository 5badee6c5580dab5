import type { JsonObject } from '#servers/protocol/message'
import { prepareCall, sendCall } from '../call/pipeline.ts'
import { parseJson } from '../call/results/document.ts'
import { wantedIn } from '../call/results/select.ts'
import type { MetaToolCall } from '../call/stages/bound-meta-tool.ts'
import { selectOf } from '../call/stages/shape-result.ts'
import { unwrapped, withStored } from '../call/stages/stored-arguments.ts'
import { accountProperty } from '../catalog/account-parameter.ts'
import type { CatalogTool } from '../catalog/catalog-tools.ts'
import { flag, isAbsent, selectProperty, words } from './arguments.ts'
import { doesAnything, type MetaTool, type ToolDeps } from './meta-tool.ts'

export const call: MetaTool = {
  name: 'call',
  isEntry: true,
  description: () =>
    'Call a tool of a server. Long results come in pages. Wrong names or params are answered with the schema.',
  inputSchema: {
    type: 'object',
    properties: {
      module: { type: 'string' },
      tool_name: { type: 'string' },
      params: {
        type: 'object',
        description: '{"$result":"r…","path":"$.id"} is a value of a result',
      },
      select: selectProperty,
    },
    required: ['module', 'tool_name'],
  },
  addedProperties: accountProperty,
  alsoTaken: ['account', 'tool', 'arguments', 'again'],
  annotations: doesAnything,
  answer: (args, call, deps) => callTool(args, call, deps),
}

/** Parameters with the values of stored results; they may be JSON in a text. */
async function storedParams(args: JsonObject, { results }: MetaToolCall): Promise<unknown> {
  const given = args['params'] ?? args['arguments']
  if (!JSON.stringify(given)?.includes('$result')) return given
  const params = (typeof given === 'string' ? parseJson(given) : undefined) ?? given
  return unwrapped(await withStored(params, results))
}

/** `check` may reject the tool, as it was found and as it is offered when it is called. */
export async function callTool(
  args: JsonObject,
  call: MetaToolCall,
  deps: ToolDeps,
  check?: (tool: CatalogTool) => void,
): Promise<JsonObject> {
  const requested = {
    module: isAbsent(args['module']) ? undefined : words(args, 'module'),
    account: isAbsent(args['account']) ? undefined : words(args, 'account'),
    tool: words(args, isAbsent(args['tool_name']) && args['tool'] ? 'tool' : 'tool_name'),
    params: await storedParams(args, call),
  }
  // What is wrong with it is found before anything is called.
  const wanted = isAbsent(args['select']) ? undefined : await wantedIn(args['select'])
  const { tool, params, repairs } = await prepareCall(requested, call, deps.gateway)
  const select = wanted ?? (tool.server.results?.select && (await selectOf(tool)))
  const sent = await sendCall(tool, params, call.context, deps, {
    check,
    again: flag(args, 'again') ?? false,
  })
  const result = await call.results.reply(sent, { params: params['arguments'], select })
  if (repairs.length === 0) return result
  const meta = result['_meta'] as object | undefined
  return { ...result, _meta: { ...meta, 'io.github.pith-mcp/repairs': repairs } }
}
