// A server that tries what it is told to, and says `done` with what came of it, or the code of the error.
import { execFileSync, spawn } from 'node:child_process'
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'

const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

if (process.argv.includes('--deaf')) {
  process.on('SIGTERM', () => {})
  setInterval(() => {}, 1_000)
}

const reach = (where) =>
  new Promise((resolve, reject) => {
    const socket = connect(where, () => resolve('connected'))
    socket.on('error', reject)
  })

const ways = {
  read: ({ path }) => readFileSync(path, 'utf8'),
  list: ({ path }) => readdirSync(path).join(' '),
  write: ({ path }) => writeFileSync(path, 'written') ?? 'written',
  link: ({ path, to }) => symlinkSync(to, path) ?? 'linked',
  tcp: ({ port }) => reach({ port, host: '127.0.0.1' }),
  local: ({ path }) => reach({ path }),
  variable: ({ name }) => process.env[name] ?? 'none',
  variables: () => Object.keys(process.env).sort().join(' '),
  folder: () => process.cwd(),
  /** A user namespace, in which it would be root. */
  namespace: () =>
    execFileSync('unshare', ['-Ur', 'id', '-u'], { stdio: 'pipe' }).toString().trim(),
  /** Megabytes that fit into a file, until it is said that no more do. */
  fill({ path, megabytes }) {
    const file = openSync(path, 'w')
    const part = Buffer.alloc(2 ** 20)
    let written = 0
    try {
      while (written < megabytes) written += writeSync(file, part) / part.length
    } catch (error) {
      if (error.code !== 'ENOSPC') throw error
    } finally {
      closeSync(file)
      unlinkSync(path)
    }
    return String(Math.floor(written))
  },
  spawn: () => execFileSync('/bin/sh', ['-c', 'echo spawned']).toString().trim(),
  descriptors: () =>
    readdirSync('/proc/self/fd')
      .map((name) => {
        try {
          return readlinkSync(`/proc/self/fd/${name}`)
        } catch {
          return ''
        }
      })
      .join(' '),
  processes: () =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => readFileSync(`/proc/${pid}/environ`, 'utf8'))
      .join('\0'),
  /** One that heeds nothing, in a session of its own, and writes the time as long as it lives. */
  linger({ path }) {
    const code = `process.on('SIGTERM',()=>{});process.on('SIGHUP',()=>{});setInterval(()=>require('fs').writeFileSync(${JSON.stringify(path)},String(Date.now())),20)`
    spawn(process.execPath, ['-e', code], { stdio: 'ignore', detached: true }).unref()
    return 'started'
  },
}

async function tried({ name, arguments: args = {} }) {
  try {
    return `done: ${await ways[name](args)}`
  } catch (error) {
    return `refused: ${error.code ?? error.message}`
  }
}

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'trying', version: '1' },
  }),
  ping: () => ({}),
  'tools/list': () => ({
    tools: Object.keys(ways).map((name) => ({ name, inputSchema: { type: 'object' } })),
  }),
  'tools/call': async (params) => ({ content: [{ type: 'text', text: await tried(params) }] }),
}

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params = {} } = JSON.parse(line)
  if (id === undefined) return
  const answer = answers[method]
  if (answer) send({ id, result: await answer(params) })
  else send({ id, error: { code: -32601, message: 'Method not found' } })
})
