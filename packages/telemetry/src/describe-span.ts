import type { Attributes } from '@opentelemetry/api'
import type { Traced } from '#base/tracing'

/** Characters of the session id, as in the journal: enough to find its lines, too few to use it. */
const shownOfSession = 12

/** Names and attributes of the semantic conventions for MCP. */
export const nameOf = ({ method, tool }: Traced): string =>
  tool === undefined ? method : `${method} ${tool}`

export function attributesOf({
  method,
  tool,
  server,
  transport,
  era,
  session,
}: Traced): Attributes {
  return {
    'mcp.method.name': method,
    ...namedBy(method, tool),
    ...(session !== undefined && { 'mcp.session.id': session.slice(0, shownOfSession) }),
    ...(transport !== undefined && { 'network.transport': transport }),
    ...(server !== undefined && { 'pith.server': server }),
    ...(era !== undefined && { 'pith.era': era }),
  }
}

export const errorAttributesOf = (outcome: string): Attributes => ({
  'error.type': outcome,
  ...(/^-?\d+$/.test(outcome) && { 'rpc.response.status_code': outcome }),
})

/** The tool of a call, or the prompt. */
export function namedBy(method: string, tool: string | undefined): Attributes {
  if (tool === undefined) return {}
  if (method === 'prompts/get') return { 'gen_ai.prompt.name': tool }
  if (method !== 'tools/call') return {}
  return { 'gen_ai.tool.name': tool, 'gen_ai.operation.name': 'execute_tool' }
}
