// A server whose tool writes down each execution, on bare JSON-RPC.
//   node counting-server.mjs FILE
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const file = process.argv[2]
const properties = { key: { type: 'string' }, ms: { type: 'number' } }
const inputSchema = { type: 'object', properties, required: ['key'] }

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'counting', version: '1' },
  }),
  'tools/list': () => ({ tools: [{ name: 'count', inputSchema }] }),
  async 'tools/call'({ arguments: { key, ms = 0 } }) {
    appendFileSync(file, `${key}\n`)
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms))
    return { content: [{ type: 'text', text: key }] }
  },
}
createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const result = (await answers[method]?.(params)) ?? {}
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
})
