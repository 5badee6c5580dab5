// Whether many calls leave something behind: `call` of aggregator-mcp meta at 32 in flight over
// stdio, then a tenth of the calls over Streamable HTTP, with the RSS and the open file descriptors
// of its process after each tenth and a minute after the end. Exit code 1 if the RSS is then more
// than 1.25 times that after the first tenth, or if more than 5 descriptors were added.
//   node growth.mjs [calls, 200000]
import { readdirSync } from 'node:fs'
import { connect } from './client.mjs'
import { aggregators } from './contenders.mjs'
import { createHome, removeHome, residentMemory, wait } from './processes.mjs'
import { printTable } from './report.mjs'
import { one } from './upstreams.mjs'

const inFlight = 32
const restMs = 60_000
const maxGrowth = 1.25
const maxMoreDescriptors = 5

const total = Number(process.argv[2] ?? 200_000)
if (!Number.isInteger(total) || total < 100)
  throw new Error(`Calls: ${process.argv[2]}; give a whole number of at least 100`)
const contender = aggregators.find(({ name }) => name === 'aggregator-mcp meta')

const stateOf = ({ child: { pid } }) => ({
  memory: residentMemory(pid),
  descriptors: readdirSync(`/proc/${pid}/fd`).length,
})

async function callMany(client, calls) {
  let left = calls
  const work = async () => {
    while (left > 0) await client.echo(`bench ${left--}`)
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: inFlight }, work))
  return (1_000 * calls) / (performance.now() - started)
}

async function measure(over, calls) {
  const home = createHome()
  try {
    contender.configure(home, one)
    const client = await connect(contender, home, { over })
    await client.echo('ready')
    const tenth = Math.round(calls / 10)
    const states = [{ after: 0, ...stateOf(client) }]
    for (let part = 1; part <= 10; part++) {
      const rate = await callMany(client, tenth)
      states.push({ after: part * tenth, rate, ...stateOf(client) })
    }
    await wait(restMs)
    states.push({ after: 'a minute later', ...stateOf(client) })
    await client.close()
    return states
  } finally {
    removeHome(home)
  }
}

function check(over, states) {
  const [, first] = states
  const last = states.at(-1)
  const growth = last.memory / first.memory
  const more = last.descriptors - first.descriptors
  const isGrown = growth > maxGrowth || more > maxMoreDescriptors
  console.log(
    `\n${over}: ${isGrown ? 'grown, ' : ''}RSS ${growth.toFixed(2)} times that after the first tenth, ${more} more descriptors`,
  )
  return !isGrown
}

const results = []
for (const [over, calls] of [
  ['stdio', total],
  ['http', Math.round(total / 10)],
]) {
  const states = await measure(over, calls)
  const rows = states.map(({ after, memory, descriptors, rate }) => [
    after.toLocaleString('en'),
    memory.toFixed(0),
    descriptors,
    rate?.toFixed(0) ?? '',
  ])
  const columns = ['calls', 'RSS, MB', 'descriptors', 'calls/s']
  printTable(`Over ${over}, ${inFlight} in flight`, columns, rows)
  results.push(check(over, states))
}
process.exit(results.every(Boolean) ? 0 : 1)
