// What the MCP conformance suite says of the extensions that the aggregator relays: tasks and
// skills, directly and behind aggregator-mcp, which reaches the servers over stdio and over HTTP.
// Prints the checks that passed, of those that were not skipped; exits 1 if any failed, other than
// through the aggregator on purpose, or if a server ended.
//   node extensions.mjs [../../apps/aggregator-mcp/dist/main.js]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { of } from './report.mjs'
import { runScenario } from './suite.mjs'
import { built, start } from './targets.mjs'

const legs = ['direct', 'through stdio', 'through http']
const path = (name) => fileURLToPath(new URL(name, import.meta.url))
const server = path('extension-server.mjs')
const tested = {
  tasks: {
    http: (port) => [server, 'tasks', '--http', port],
    stdio: () => [server, 'tasks', '--stdio'],
    list: 'tools/list',
    shows: '"slow_compute"',
    scenarios: [
      'tasks-lifecycle',
      'tasks-capability-negotiation',
      'tasks-wire-fields',
      'tasks-request-state-removal',
      'tasks-mrtr-input',
      'tasks-request-headers',
      'tasks-dispatch-and-envelope',
      'tasks-status-notifications',
      'tasks-required-task-error',
      'tasks-mrtr-composition',
    ],
  },
  skills: {
    http: (port) => [server, 'skills', '--http', port],
    stdio: (aggregator) => [aggregator, 'skills', path('skills')],
    list: 'skills/list',
    shows: '"pdf-forms"',
    scenarios: [
      'sep-2640-skills-directory',
      'sep-2640-skills-enumeration',
      'sep-2640-skills-manifest',
    ],
  },
}

/** Checks that fail through the aggregator on purpose. */
const differs = {
  'sep-2663-server-returns-missing-capability-when-required':
    'the aggregator waits for the task itself, so that a client without tasks gets the result',
}

const folder = mkdtempSync(join(tmpdir(), 'pith-aggregator-extensions-'))
const aggregator = process.argv[2] ?? built
const outcomes = new Map()
const problems = []
for (const [what, { scenarios, ...how }] of Object.entries(tested))
  for (const leg of legs) await run(leg, scenarios, how, join(folder, `${what} ${leg}`))
rmSync(folder, { recursive: true, force: true })
report()

async function run(leg, scenarios, how, own) {
  let target
  try {
    target = await start(leg, own, aggregator, how)
    for (const name of scenarios) {
      const checks = await runScenario(target.url, name, join(own, 'checks', name))
      outcomes.set(name, { ...outcomes.get(name), [leg]: checks })
    }
    if (target.died()) problems.push(`${leg}: ${target.died()}`)
  } catch (error) {
    problems.push(`${leg}: ${error.message}`)
  } finally {
    await target?.stop()
  }
}

function report() {
  console.log(`| scenario | ${legs.join(' | ')} |\n|---|${'---|'.repeat(legs.length)}`)
  for (const [name, byLeg] of outcomes) {
    const cells = legs.map((leg) => counted(byLeg[leg] ?? []))
    console.log(`| ${name} | ${cells.join(' | ')} |`)
    for (const leg of legs)
      for (const { id, errorMessage } of of(byLeg[leg] ?? [], 'FAILURE'))
        if (leg === 'direct' || !differs[id])
          problems.push(`${name}, ${leg}: ${id}\n  ${errorMessage}`)
  }
  console.log('\nOn purpose:')
  for (const [id, reason] of Object.entries(differs)) console.log(`- ${id}: ${reason}`)
  if (problems.length > 0) console.log(`\nLost:\n${problems.map((one) => `- ${one}`).join('\n')}`)
  process.exitCode = problems.length > 0 ? 1 : 0
}

function counted(checks) {
  const ran = checks.length - of(checks, 'SKIPPED').length
  return ran === 0 ? 'skipped' : `${of(checks, 'SUCCESS').length}/${ran}`
}
