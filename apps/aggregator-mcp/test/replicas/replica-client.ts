import { once } from 'node:events'
import type { Cluster } from './cluster.ts'

const key = (name: string): string => `io.modelcontextprotocol/${name}`

export type Json = Record<string, unknown>
export interface Answer {
  status: number
  session: string | null
  result?: Json & { content?: { text: string }[]; requestState?: string; taskId?: string }
  error?: { code: number; message: string }
}

export const envelope = (capabilities: Json = {}) => ({
  _meta: {
    [key('protocolVersion')]: '2026-07-28',
    [key('clientInfo')]: { name: 'test', version: '0' },
    [key('clientCapabilities')]: capabilities,
  },
})
export const withTasks: Json = { extensions: { [key('tasks')]: {} } }
export const modern = (method: string, name?: string) => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  ...(name !== undefined && { 'mcp-name': name }),
})
export const textOf = ({ result, error }: Answer): string =>
  result?.content?.[0]?.text ?? `error ${error?.code}: ${error?.message}`

/** A request to an address. */
export async function post(
  url: string,
  method: string,
  params: Json,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const text = await response.text()
  const lines = text.split('\n').flatMap((line) => /^data: (\{.*)$/.exec(line)?.[1] ?? [])
  const last = lines.at(-1) ?? (text.startsWith('{') ? text : '{}')
  const session = response.headers.get('mcp-session-id')
  return { status: response.status, session, ...JSON.parse(last) }
}

/** A session of 2025: the headers of its requests. */
export async function initialise(
  url: string,
  credential: Record<string, string> = {},
): Promise<Record<string, string>> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '0' },
  }
  const { session } = await post(url, 'initialize', params, credential)
  const headers = {
    ...credential,
    'mcp-session-id': session ?? '',
    'mcp-protocol-version': '2025-11-25',
  }
  await post(url, 'notifications/initialized', {}, headers)
  return headers
}

export const callOf = (module: string, tool_name: string, params: Json) => ({
  name: 'call',
  arguments: { module, tool_name, params },
})

/** Kills a replica. */
export async function killReplica({ replicas }: Cluster, index: number): Promise<void> {
  const { child } = replicas[index] ?? {}
  child?.kill('SIGKILL')
  if (child) await once(child, 'exit')
}
