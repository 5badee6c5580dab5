// A server that costs as little as a server can: one tool, which says what it is told, or lines of
// text of a given length, after some milliseconds if these are given.
import { createInterface } from 'node:readline'

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'echo', version: '1' },
  }),
  'tools/list': () => ({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }),
  'tools/call': ({ arguments: { message, characters } }) => ({
    content: [{ type: 'text', text: characters ? linesOf(characters) : message }],
  }),
}
const texts = new Map()
function linesOf(characters) {
  if (!texts.has(characters)) {
    let text = ''
    for (let line = 0; text.length < characters; line++)
      text += `${line}: "${(line * 7919).toString(36)}" of a table, with ${line % 97} entries\n`
    texts.set(characters, text.slice(0, characters))
  }
  return texts.get(characters)
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const answer = () => {
    const result = answers[method]?.(params) ?? {}
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
  }
  const { ms = 0 } = params?.arguments ?? {}
  if (ms > 0) setTimeout(answer, ms)
  else answer()
})
