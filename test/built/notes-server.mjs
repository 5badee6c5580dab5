// A server over stdio with the three tools of the recipes in the manual.
import { createInterface } from 'node:readline'

const tools = [
  { name: 'search_notes', description: 'Find notes.', annotations: { readOnlyHint: true } },
  { name: 'write_note', description: 'Write a note.' },
  { name: 'delete_note', description: 'Delete a note.', annotations: { destructiveHint: true } },
].map((tool) => ({ ...tool, inputSchema: { type: 'object' } }))

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'notes', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name }) => ({
    content: [{ type: 'text', text: `${name} by ${process.env.NOTES_USER ?? 'nobody'}` }],
  }),
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const answer = answers[method]
  const reply = answer
    ? { result: answer(params) }
    : { error: { code: -32_601, message: `No method ${method}` } }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...reply })}\n`)
})
