// A server that costs as little as a server can: one tool, which says what it is told.
import { createInterface } from 'node:readline'

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'echo', version: '1' },
  }),
  'tools/list': () => ({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }),
  'tools/call': ({ arguments: { message } }) => ({ content: [{ type: 'text', text: message }] }),
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const result = answers[method]?.(params) ?? {}
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
})
