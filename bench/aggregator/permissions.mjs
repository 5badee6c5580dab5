// What permissions cost a call that they let through: processor time of the aggregator's process a
// call, over stdio, one call after the other, interleaved. With another build, also without any
// permissions in both.
//   node permissions.mjs [--before MAIN] [--rounds N, 15] [--calls N, 3000]
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { connect } from './client.mjs'
import { createHome, processorTime, removeHome, wait } from './processes.mjs'
import { median } from './report.mjs'

const { values } = parseArgs({
  options: {
    before: { type: 'string' },
    rounds: { type: 'string', default: '15' },
    calls: { type: 'string', default: '3000' },
  },
})
const path = (file) => fileURLToPath(new URL(file, import.meta.url))
const echo = { command: process.execPath, args: [path('echo-server.mjs')] }
const rule = (index) => ({
  tools: [`everything.no_${index}`],
  params: { path: { below: '/srv' }, size: { max: index } },
})
const rules = (length) => ({
  permissions: { deny: Array.from({ length }, (_, index) => rule(index)) },
})
const now = path('../../apps/aggregator-mcp/dist/main.js')
const contenders = [
  ...(values.before ? [['before', values.before, {}]] : []),
  ['without permissions', now, {}],
  ['one rule', now, rules(1)],
  ['fifty rules', now, rules(50)],
  [
    'a rule with a condition that is judged',
    now,
    { permissions: { deny: [{ params: { message: { matches: '^never' } } }] } },
  ],
]

async function open([name, main, aggregator]) {
  const home = createHome()
  const config = { mcpServers: { everything: echo }, aggregator }
  writeFileSync(join(home, 'mcp.json'), JSON.stringify(config))
  const args = [main, '--config', join(home, 'mcp.json'), '--state', join(home, 'state')]
  const contender = {
    stdio: () => ({ command: process.execPath, args }),
    toCall: (module, tool_name, params) => ({
      name: 'call',
      arguments: { module, tool_name, params },
    }),
  }
  return { name, home, client: await connect(contender, home), costs: [] }
}

const calls = Number(values.calls)
async function costOf({ client }) {
  const before = processorTime(client.child.pid)
  for (let index = 0; index < calls; index++) await client.echo(`bench ${index}`)
  return (1_000 * (processorTime(client.child.pid) - before)) / calls
}

const opened = []
for (const contender of contenders) opened.push(await open(contender))
// The first round is the warm-up.
for (let round = 0; round <= Number(values.rounds); round++) {
  const order = round % 2 === 0 ? opened : [...opened].reverse()
  for (const entry of order) {
    const cost = await costOf(entry)
    if (round > 0) entry.costs.push(cost)
  }
}
const [first] = opened
console.log(`| | µs of processor time a call | ratio to ${first.name}, median of the rounds |`)
console.log('|---|---|---|')
for (const { name, costs } of opened) {
  const ratios = costs.map((cost, round) => cost / first.costs[round])
  console.log(`| ${name} | ${median(costs).toFixed(1)} | ${median(ratios).toFixed(3)} |`)
}
for (const { home, client } of opened) {
  client.child.kill()
  await wait(200)
  removeHome(home)
}
process.exit()
