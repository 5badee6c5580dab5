import type { JSONRPCMessage } from '@modelcontextprotocol/server'

/** A message of JSON-RPC in a line; undefined for a line that is none. */
export function parseMessage(line: string): JSONRPCMessage | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    const message: unknown = JSON.parse(line)
    const { jsonrpc } = message as { jsonrpc?: unknown }
    return jsonrpc === '2.0' ? (message as JSONRPCMessage) : undefined
  } catch {
    return undefined
  }
}
