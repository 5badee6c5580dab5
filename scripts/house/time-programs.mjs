import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'

const fixtures = 'packages/cleaner/test/fixtures'
const echoServer = 'apps/aggregator-mcp/test/running/odd-server.mjs'
const calls = 300

/**
 * Times the built programs of one or more checkouts alternately, each in fresh processes over stdio.
 * Returns milliseconds by measure and checkout, one value per round.
 */
export async function timePrograms(checkouts, rounds) {
  const folder = mkdtempSync(join(tmpdir(), 'pith-house-'))
  const pages = readdirSync(fixtures).map((name) => join(folder, `${name}.html`))
  for (const [at, name] of readdirSync(fixtures).entries())
    if (existsSync(`${fixtures}/${name}/input.html`))
      copyFileSync(`${fixtures}/${name}/input.html`, pages[at])
  const config = join(folder, 'servers.json')
  const echo = { command: process.execPath, args: [resolve(echoServer)] }
  writeFileSync(config, JSON.stringify({ mcpServers: { echo } }))
  const times = {}
  const note = (measure, checkout, ms) => {
    times[measure] ??= Object.fromEntries(checkouts.map((one) => [one, []]))
    times[measure][checkout].push(ms)
  }
  try {
    // The first round warms the file cache.
    for (let round = 0; round <= rounds; round++)
      for (const checkout of checkouts) {
        const program = (name) => join(checkout, 'apps', name, 'dist/main.js')
        const measured = {
          ...(await timeDocs(
            [program('docs-mcp'), '--no-cache', folder],
            pages.filter(existsSync),
          )),
          ...(await timeStart('code-mcp', [program('code-mcp'), folder])),
          ...(await timeCalls([program('aggregator-mcp'), '--config', config, '--no-state'])),
        }
        if (round > 0) for (const [name, ms] of Object.entries(measured)) note(name, checkout, ms)
      }
  } finally {
    rmSync(folder, { recursive: true })
  }
  return times
}

async function timeStart(name, args) {
  const { ms, stop } = await start(args)
  await stop()
  return { [`${name}: start to the list of tools`]: ms }
}

async function timeDocs(args, pages) {
  const { ms, request, stop } = await start(args)
  const started = performance.now()
  for (const url of pages)
    await request('tools/call', { name: 'get_doc_content', arguments: { url } })
  const reading = performance.now() - started
  await stop()
  return {
    'docs-mcp: start to the list of tools': ms,
    [`docs-mcp: ${pages.length} pages of HTML, each for the first time`]: reading,
  }
}

async function timeCalls(args) {
  const { ms, request, stop } = await start(args)
  const call = (text) =>
    request('tools/call', {
      name: 'call',
      arguments: { module: 'echo', tool_name: 'echo', params: { text } },
    })
  await call('first')
  const started = performance.now()
  for (let at = 0; at < calls; at++) await call(`call ${at}`)
  const calling = performance.now() - started
  await stop()
  return {
    'aggregator-mcp: start to the list of tools': ms,
    [`aggregator-mcp: ${calls} calls, one after the other`]: calling,
  }
}

/** A server that has listed its tools; `ms` is the time from its start. */
async function start(args) {
  const begun = performance.now()
  const { ask, stop } = await startServer(args)
  async function request(method, params) {
    const result = await ask(method, params)
    if (result === undefined || result.isError || result.code)
      throw new Error(`${args[0]} did not answer ${method}: ${JSON.stringify(result)}`)
    return result
  }
  await request('tools/list', {})
  return { ms: performance.now() - begun, request, stop }
}

/** A server that is initialized; `ask` resolves to a result or an error, or undefined if it ended. */
export async function startServer(args, options = {}) {
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, AGGREGATOR_MCP_SHARE: 'off' },
    ...options,
  })
  const gone = new Promise((done) => child.once('exit', done))
  const waiting = new Map()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result, error } = JSON.parse(line)
    waiting.get(id)?.(result ?? error)
    waiting.delete(id)
  })
  child.once('exit', () => {
    for (const end of waiting.values()) end(undefined)
  })
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  let ids = 0
  function ask(method, params) {
    const id = ++ids
    const answer = new Promise((done) => waiting.set(id, done))
    send({ id, method, params })
    return answer
  }
  await ask('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'pnpm house', version: '0' },
  })
  send({ method: 'notifications/initialized' })
  return {
    ask,
    stop() {
      child.stdin.end()
      return gone
    },
  }
}
