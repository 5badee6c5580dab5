import type { JsonObject } from '#servers/protocol/message'
import { prepareCall, sendCall } from '../call/pipeline.ts'
import type { MetaToolCall } from '../call/stages/bound-meta-tool.ts'
import { accountProperty } from '../catalog/account-parameter.ts'
import type { CatalogTool } from '../catalog/catalog-tools.ts'
import { flag, isAbsent, words } from './arguments.ts'
import { doesAnything, type MetaTool, type ToolDeps } from './meta-tool.ts'

export const call: MetaTool = {
  name: 'call',
  isEntry: true,
  description: () =>
    'Call a tool of a module. Long results come in pages. Wrong names or params are answered with the schema.',
  inputSchema: {
    type: 'object',
    properties: {
      module: { type: 'string' },
      tool_name: { type: 'string' },
      params: { type: 'object' },
    },
    required: ['module', 'tool_name'],
  },
  addedProperties: accountProperty,
  alsoTaken: ['account', 'tool', 'arguments', 'again'],
  annotations: doesAnything,
  answer: (args, call, deps) => callTool(args, call, deps),
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
    params: args['params'] ?? args['arguments'],
  }
  const { tool, params, repairs } = await prepareCall(requested, call, deps.gateway)
  const result = await sendCall(tool, params, call.context, deps, {
    check,
    again: flag(args, 'again') ?? false,
  })
  if (repairs.length === 0) return result
  const meta = result['_meta'] as object | undefined
  return { ...result, _meta: { ...meta, 'io.github.pith-mcp/repairs': repairs } }
}
