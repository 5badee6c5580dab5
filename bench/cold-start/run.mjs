// Spawn to first tools/list answer over stdio: our servers beside an SDK server with
// one tool, interleaved, both protocol eras. Prints medians and their ratios.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const rounds = Number(process.argv[2] ?? 15)
const path = (file) => fileURLToPath(new URL(file, import.meta.url))
const servers = {
  'one-tool server': [path('trivial-server.mjs')],
  'docs-mcp': [path('../../apps/docs-mcp/dist/main.js'), path('../../docs')],
  'code-mcp': [path('../../apps/code-mcp/dist/main.js'), path('../../docs')],
}

const initialize = {
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '0' },
  },
}
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}
const openings = {
  '2025-11-25': [
    initialize,
    { method: 'notifications/initialized', id: undefined },
    { method: 'tools/list' },
  ],
  '2026-07-28': [{ method: 'tools/list', params: { _meta: envelope } }],
}

function timeToTools(args, opening) {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (data) => {
      output += data
      if (!output.includes('"tools":[')) return
      resolve(performance.now() - started)
      child.stdin.end()
    })
    child.on('exit', () => reject(new Error(`no tools came: ${output.slice(0, 200)}`)))
    const messages = opening.map((message, index) => ({
      jsonrpc: '2.0',
      id: index + 1,
      ...message,
    }))
    child.stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''))
  })
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1]

const own = Object.keys(servers).slice(1)
console.log(
  `| era | one-tool server, ms | ${own.map((name) => `${name}, ms | ratio`).join(' | ')} |`,
)
console.log(`|---|---|${own.map(() => '---|---|').join('')}`)
for (const [era, opening] of Object.entries(openings)) {
  const times = Object.fromEntries(Object.keys(servers).map((name) => [name, []]))
  for (let round = 0; round <= rounds; round++)
    for (const [name, args] of Object.entries(servers)) {
      const time = await timeToTools(args, opening)
      if (round > 0) times[name].push(time)
    }
  const [trivial, ...rest] = Object.values(times).map(median)
  const figures = rest.map((time) => `${time.toFixed(0)} | ${(time / trivial).toFixed(2)}`)
  console.log(`| ${era} | ${trivial.toFixed(0)} | ${figures.join(' | ')} |`)
}
