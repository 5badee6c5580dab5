// A stdio server on raw JSON-RPC that offers what its kind has in the catalogue:
//   node fixture-server.mjs KIND [FILE]
// FILE holds descriptions by tool name, as JSON, which override those of the catalogue.
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { toolsOf } from './fixture-catalogue.mjs'

const [kind, file] = process.argv.slice(2)
const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const log = (text) => process.stderr.write(`${new Date().toISOString()} ${text}\n`)

if (kind === 'broken') {
  log('connecting to warehouse.internal:5439')
  log('FATAL password authentication failed for user "analytics"')
  process.exit(1)
}

const changed = file && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
const tools = toolsOf(kind).map((tool) => ({
  ...tool,
  description: changed[tool.name] ?? tool.description,
}))
log(`INFO ${kind} server 2.4.1 ready, ${tools.length} tools`)

const words = 'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu'.split(' ')

function call({ name, arguments: args = {} }) {
  if (!tools.some((tool) => tool.name === name)) throw new Error(`no tool ${name}`)
  log(`INFO tools/call ${name}`)
  if (args.fail === true || name.startsWith('fail')) {
    log(`WARN ${name}: 404 Not Found`)
    return { isError: true, content: [{ type: 'text', text: `${name}: 404 Not Found` }] }
  }
  const rows = name.startsWith('list') || name.startsWith('search') ? 400 : 3
  const lines = Array.from(
    { length: rows },
    (_, row) => `${row + 1}. ${words[row % 12]} ${name} #${1000 + row}`,
  )
  return { content: [{ type: 'text', text: `${JSON.stringify(args)}\n${lines.join('\n')}` }] }
}

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, ...(kind === 'grafana' && { prompts: {}, resources: {} }) },
    serverInfo: { name: `${kind}-mcp`, version: '2.4.1' },
    instructions: `Use ${kind} for what belongs there. Ask before anything is deleted.`,
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools }),
  'tools/call': call,
  'prompts/list': () => ({
    prompts: [
      {
        name: 'explain_alert',
        description: 'Explains why an alert fired.',
        arguments: [{ name: 'alert', description: 'Its name', required: true }],
      },
    ],
  }),
  'prompts/get': ({ arguments: { alert } = {} }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Why did ${alert} fire?` } }],
  }),
  'resources/list': () => ({
    resources: [{ uri: 'grafana://motd', name: 'motd', mimeType: 'text/plain' }],
  }),
  'resources/templates/list': () => ({
    resourceTemplates: [{ uriTemplate: 'grafana://panel/{id}', name: 'panel' }],
  }),
  'resources/read': ({ uri }) => ({
    contents: [{ uri, text: uri.endsWith('motd') ? 'x'.repeat(200_100) : `panel at ${uri}` }],
  }),
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params = {} } = JSON.parse(line)
    if (id === undefined) return
    const answer = answers[method]
    if (!answer) return send({ id, error: { code: -32601, message: `no ${method}` } })
    try {
      send({ id, result: answer(params) })
    } catch (error) {
      send({ id, error: { code: -32602, message: error.message } })
    }
  })
  .on('close', () => process.exit(0))
