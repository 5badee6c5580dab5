// A server with one tool, whose result is a text of a file.
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const texts = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const inputSchema = {
  type: 'object',
  properties: { n: { type: 'integer' }, given: { type: 'object' } },
  required: ['n'],
}
const serverInfo = { name: 'replay', version: '0' }
const answers = {
  initialize: () => ({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo }),
  'tools/list': () => ({
    tools: [{ name: 'result', inputSchema, annotations: { readOnlyHint: true } }],
  }),
  'tools/call': ({ arguments: { n } }) => ({ content: [{ type: 'text', text: texts[n] }] }),
}
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    const answer = answers[method]
    const error = { code: -32601, message: 'Method not found' }
    if (id !== undefined)
      process.stdout.write(
        `${JSON.stringify({ jsonrpc: '2.0', id, ...(answer ? { result: answer(params) } : { error }) })}\n`,
      )
  })
  .on('close', () => process.exit(0))
