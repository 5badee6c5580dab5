// MCP Apps of the official examples, as a host that shows apps uses them: directly, and through
// aggregator-mcp in each mode, where one of the servers is configured twice. The tools with an
// interface have to be listed, their results and the contents of the interface to be equal, and an
// interface to reach the tools of its own server by their names. Exits with 1 if anything differs.
//   node apps.mjs        installs the servers with npx at its first run
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'

const main = fileURLToPath(new URL('../../apps/aggregator-mcp/dist/main.js', import.meta.url))
const home = mkdtempSync(join(tmpdir(), 'bench-apps-'))
const packages = [
  ['clock', 'server-basic-vanillajs'],
  ['clock2', 'server-basic-vanillajs'],
  ['scenario', 'server-scenario-modeler'],
  ['monitor', 'server-system-monitor'],
]
const entryOf = (name) => ({
  command: 'npx',
  args: ['--yes', `@modelcontextprotocol/${name}`, '--stdio'],
})
const ui = { mimeTypes: ['text/html;profile=mcp-app'] }
const capabilities = { extensions: { 'io.modelcontextprotocol/ui': ui } }

async function connect({ command, args }) {
  const child = spawn(command, args, {
    cwd: home,
    env: { ...process.env, AGGREGATOR_MCP_SHARE: 'off' },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const waiting = new Map()
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!line.startsWith('{')) return
    const { id, result, error } = JSON.parse(line)
    waiting.get(id)?.(error ? { error } : result)
  })
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  let last = 0
  const ask = (method, params = {}) =>
    new Promise((resolve) => {
      waiting.set(++last, resolve)
      send({ id: last, method, params })
    })
  const clientInfo = { name: 'host', version: '0' }
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo })
  send({ method: 'notifications/initialized' })
  return { ask, close: () => child.kill() }
}

const uriOf = ({ _meta: meta }) => meta?.ui?.resourceUri ?? meta?.['ui/resourceUri']
/** Results name times and measurements: their form is compared. */
const formOf = (value) =>
  Array.isArray(value)
    ? value.slice(0, 1).map(formOf)
    : value && typeof value === 'object'
      ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, formOf(one)]))
      : typeof value

async function appsOf(client, prefix = '') {
  const { tools } = await client.ask('tools/list')
  const own = tools.filter((tool) => tool.name.startsWith(prefix) && uriOf(tool))
  return Promise.all(
    own.map(async (tool) => {
      const { contents } = await client.ask('resources/read', { uri: uriOf(tool) })
      const result = await client.ask('tools/call', { name: tool.name, arguments: {} })
      return { name: tool.name.slice(prefix.length), tool, contents, result }
    }),
  )
}

const without = ({ name: _, _meta: __, ...definition }) => definition
const rows = []
const direct = new Map()
for (const [name, server] of packages) {
  const client = await connect(entryOf(server))
  direct.set(name, await appsOf(client))
  client.close()
}
const file = join(home, 'mcp.json')
const mcpServers = Object.fromEntries(packages.map(([name, server]) => [name, entryOf(server)]))
writeFileSync(file, JSON.stringify({ mcpServers, aggregator: { trust: { new: 'allow' } } }))
for (const mode of ['meta', 'list', 'full']) {
  const args = [main, '--config', file, '--mode', mode, '--state', join(home, mode)]
  const client = await connect({ command: process.execPath, args })
  // In `meta` the first list does not wait for servers.
  for (let tries = 0; tries < 100; tries++) {
    const { tools } = await client.ask('tools/list')
    if (packages.every(([name]) => tools.some((tool) => tool.name.startsWith(`${name}__`)))) break
    await wait(200)
  }
  for (const [name] of packages) {
    const expected = direct.get(name)
    const found = await appsOf(client, `${name}__`)
    const equal = expected.filter((one) => {
      const other = found.find((app) => app.name === one.name)
      if (other === undefined) return false
      const texts = ({ contents }) => contents.map(({ uri: _, ...content }) => content)
      return (
        isDeepStrictEqual(without(one.tool), without(other.tool)) &&
        uriOf(other.tool).startsWith(`ui://${name}/`) &&
        isDeepStrictEqual(texts(one), texts(other)) &&
        other.contents.every(({ uri }) => uri === uriOf(other.tool)) &&
        isDeepStrictEqual(
          formOf(one.result.structuredContent),
          formOf(other.result.structuredContent),
        )
      )
    })
    const [app] = expected
    const bare = await client.ask('tools/call', { name: app.name, arguments: {} })
    const isTwice = name.startsWith('clock')
    const isRight = isTwice ? bare.error !== undefined : bare.error === undefined
    rows.push([
      mode,
      name,
      `${equal.length} of ${expected.length}`,
      isRight
        ? isTwice
          ? 'refused: two servers'
          : 'its own server'
        : `wrong: ${JSON.stringify(bare).slice(0, 80)}`,
    ])
    if (equal.length < expected.length || !isRight) process.exitCode = 1
  }
  client.close()
}
console.log('| mode | server | equal apps | a call by the bare name |\n|---|---|---|---|')
for (const row of rows) console.log(`| ${row.join(' | ')} |`)
rmSync(home, { recursive: true, force: true })
process.exit()
