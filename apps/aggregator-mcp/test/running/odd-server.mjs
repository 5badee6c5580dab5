// A server on raw JSON-RPC with whatever manners its arguments ask for:
//   --hang           never answers anything
//   --deaf           goes on when its input ends, and when it is asked to end
//   --child FILE     starts a process of its own that goes on too; its id goes into FILE
//   --noise          prints lines that are no messages
//   --malformed      has tools whose definitions clients refuse
//   --faulty         lives on whatever it closes, and has tools that answer what is none
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const flags = process.argv.slice(2)
const has = (flag) => flags.includes(flag)
const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

if (has('--deaf')) {
  process.on('SIGTERM', () => {})
  setInterval(() => {}, 1_000)
}
if (has('--child')) {
  const code = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"
  const child = spawn(process.execPath, ['-e', code], { stdio: 'ignore' })
  writeFileSync(flags[flags.indexOf('--child') + 1], String(child.pid))
}

const names = ['echo', 'crash', 'slow', 'pid', 'token', 'hash']
// Lives on when it says or reads nothing any more, and has tools whose answers are none.
if (has('--faulty')) {
  names.push('null', 'mute', 'unread', 'deep', 'odd')
  setInterval(() => {}, 1_000)
}
const tools = names.map((name) => ({
  name,
  ...(process.env.ODD_DESCRIPTION && { description: process.env.ODD_DESCRIPTION }),
  ...(process.env.ODD_READ_ONLY === name && { annotations: { readOnlyHint: true } }),
  inputSchema: { type: 'object' },
}))

if (has('--malformed')) {
  tools.push({ name: 'null', inputSchema: { type: 'object', required: null } })
  tools.push({ name: 'text', inputSchema: '{}' })
}

/** A token is never said by those who keep it; its hash is. */
function textFor(name, { text }) {
  const { ODD_TOKEN = '' } = process.env
  if (name === 'pid') return String(process.pid)
  if (name === 'token') return `the token is ${ODD_TOKEN}`
  if (name === 'hash') return createHash('sha256').update(ODD_TOKEN).digest('hex')
  return String(text)
}

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'odd', version: '1' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name, arguments: args = {} }) => {
    if (name === 'crash') {
      process.stderr.write(`${args.text ?? 'out of luck'}\n`)
      process.exit(7)
    }
    // Lives on, and says nothing any more.
    if (name === 'mute') return new Promise(() => closeSync(1))
    // Lives on, and reads nothing any more.
    if (name === 'unread') setTimeout(() => closeSync(0), 20)
    if (name === 'null') return null
    const text = textFor(name, args)
    const result = { content: [{ type: 'text', text }] }
    if (name !== 'slow') return result
    return new Promise((resolve) => setTimeout(resolve, args.ms ?? 1_000, result))
  },
}

createInterface({ input: process.stdin }).on('line', async (line) => {
  if (has('--hang')) return
  if (has('--noise')) process.stdout.write('listening …\n{"level":"info"}\n')
  const { id, method, params = {} } = JSON.parse(line)
  if (id === undefined) return
  if (method === 'tools/call' && params.name === 'odd') {
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...params.arguments.answer })}\n`)
    return
  }
  if (method === 'tools/call' && params.name === 'deep') {
    const deep = `${'['.repeat(20_000)}1${']'.repeat(20_000)}`
    const result = `{"content":[],"structuredContent":{"deep":${deep}}}`
    process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}\n`)
    return
  }
  const answer = answers[method]
  if (answer) send({ id, result: await answer(params) })
  else send({ id, error: { code: -32601, message: 'Method not found' } })
})
