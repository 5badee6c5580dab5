// What the MCP conformance suite says of aggregator-mcp as a client of servers: it starts the program
// below once a scenario, with the address of its server. Prints a row a scenario and the scores of both
// revisions; exits 1 if a required scenario fails. After a build, and npm install in this folder:
//   node client-leg.mjs [SCENARIO …]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { conformance, revisions } from './suite.mjs'

const only = process.argv.slice(2)
const client = fileURLToPath(new URL('client.mjs', import.meta.url))
const isWanted = (name) => only.length === 0 || only.includes(name)
/** Scenarios at the same time: each waits for processes to start most of its time. */
const maxRunning = 2

let hasFailed = false
for (const revision of revisions) {
  const { required, extensions } = await scenariosOf(revision)
  const names = [...new Set([...required, ...extensions])].filter(isWanted)
  const verdicts = new Map()
  const queue = [...names]
  const work = async () => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift())
      verdicts.set(name, await verdictOf(name, revision))
  }
  await Promise.all(Array.from({ length: maxRunning }, work))
  for (const name of names) {
    const kind = required.includes(name) ? 'required' : 'extension'
    console.log(`| ${revision} | ${name} | ${kind} | ${verdicts.get(name)} |`)
  }
  const ran = names.filter((name) => required.includes(name))
  const passed = ran.filter((name) => verdicts.get(name).startsWith('passed'))
  console.log(`${revision}: ${passed.length} of ${ran.length} required scenarios pass.`)
  hasFailed ||= passed.length < ran.length
}
process.exitCode = hasFailed ? 1 : 0

/** The scenarios of clients that a revision is scored by, and those of extensions. */
async function scenariosOf(revision) {
  const listed = await conformance(['list', '--requirements', revision])
  const [, scored = ''] = /^Client scenarios.*\n((?: {2}- .*\n?)+)/m.exec(listed) ?? []
  return {
    required: [...scored.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name),
    extensions: [...listed.matchAll(/^ *- (\S+) \[client\]$/gm)].map(([, name]) => name),
  }
}

async function verdictOf(name, revision) {
  const folder = mkdtempSync(join(tmpdir(), 'pith-client-leg-'))
  const output = await conformance([
    ...['client', '--command', `${process.execPath} ${client} ${folder}`, '--scenario', name],
    ...['--spec-version', revision, '--force', '--timeout', '60000'],
  ])
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  const [, overall = 'not run'] = /OVERALL: ([A-Z]+)/.exec(output) ?? []
  const counts = output.split('\n').findLast((line) => line.startsWith('Passed:')) ?? ''
  return `${overall.toLowerCase()}; ${counts}`
}
