import type { JSONRPCMessage } from '@modelcontextprotocol/server'

/** Parses a line as a JSON-RPC message; undefined if it is not one. */
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
