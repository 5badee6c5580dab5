// What broken servers do to one aggregator: all of faulty-server.mjs and a missing command at once.
// Each is called once, while a healthy server is called every 50 ms. Exit code 1 if a reply never
// comes, a line without an end is not ended, the aggregator dies, or a child process survives it.
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { connect, LimitError } from './client.mjs'
import { aggregators } from './contenders.mjs'
import { faults } from './faulty-server.mjs'
import {
  commandLineOf,
  createHome,
  processesOf,
  processorTime,
  removeHome,
  residentMemory,
  wait,
} from './processes.mjs'
import { at, printTable } from './report.mjs'
import { one } from './upstreams.mjs'

const usage = `Usage: node faults.mjs [--mode meta|full] [--only KIND]... [--whole]
  --only   these faults, such as missing or crash; all of them without it
  --whole  print the whole replies as well`
const limit = 90_000
const intervalMs = 50
/** Most replies have come by then; what comes later are timeouts. */
const startMs = 10_000
const leastMs = 20_000
/** Less than the limit, so that the aggregator's own timeout comes first. */
const timeoutSeconds = 30

const { values } = parseArgs({
  options: {
    mode: { type: 'string', default: 'meta' },
    only: { type: 'string', multiple: true },
    whole: { type: 'boolean' },
    help: { type: 'boolean' },
  },
})
if (values.help) {
  console.log(usage)
  process.exit()
}
const contender = aggregators.find(({ name }) => name === `aggregator-mcp ${values.mode}`)
if (!contender || !['meta', 'full'].includes(values.mode)) throw new Error(usage)

const script = fileURLToPath(new URL('faulty-server.mjs', import.meta.url))
const all = { missing: { title: 'missing command' }, ...faults }
const kinds = values.only ?? Object.keys(all)
const unknown = kinds.filter((kind) => !Object.hasOwn(all, kind))
if (unknown.length > 0) throw new Error(`No fault ${unknown}; there are ${Object.keys(all)}`)
const commandOf = (kind) =>
  kind === 'missing'
    ? { command: 'pith-bench-no-such-command', args: [] }
    : { command: process.execPath, args: [script, kind] }
const broken = kinds.map((kind) => [kind, { ...commandOf(kind), timeoutSeconds }])

const problems = new Set()

async function replyOf(client, kind) {
  const params = contender.toCall(kind, 'echo', { message: all[kind].message ?? 'hello' })
  const _meta = { progressToken: kind }
  const started = performance.now()
  let reply
  try {
    const result = await client.request('tools/call', { ...params, _meta }, limit)
    const texts = (result.content ?? []).map(({ text = '' }) => text).join(' ')
    reply = `${result.isError ? 'error' : 'result'}: ${texts}`
  } catch (error) {
    if (error instanceof LimitError || client.hasEnded())
      problems.add(`${all[kind].title}: no reply`)
    reply = error.message
  }
  const seconds = (performance.now() - started) / 1_000
  if (kind === 'endless' && !reply.includes('more than')) problems.add('The line was not ended')
  return { kind, reply: reply.replaceAll(/[\s|]+/g, ' '), seconds }
}

/** Calls the healthy server until it is stopped, whether the calls before have their answers or not. */
function callHealthy(client) {
  const calls = []
  const open = new Set()
  const begun = performance.now()
  const callOnce = async () => {
    const started = performance.now()
    try {
      await client.echo(`bench ${started}`, limit)
    } catch (error) {
      problems.add(`The healthy server: ${error.message.slice(0, 200)}`)
    }
    calls.push({ at: started - begun, time: performance.now() - started })
  }
  const timer = setInterval(() => {
    const call = callOnce().finally(() => open.delete(call))
    open.add(call)
  }, intervalMs)
  return async () => {
    clearInterval(timer)
    await Promise.all(open)
    return calls
  }
}

/** Lets it end by itself, and names what it leaves behind; what ignores SIGTERM takes longer. */
async function end(client, home) {
  const ended = once(client.child, 'exit')
  client.child.stdin.end()
  if (!(await Promise.race([ended, wait(15_000)]))) problems.add('The aggregator does not end')
  const left = () => processesOf(home).filter((pid) => pid !== client.child.pid)
  for (let tries = 0; tries < 50 && left().length > 0; tries++) await wait(100)
  for (const pid of left()) problems.add(`Left behind: ${commandLineOf(pid)}`)
}

const home = createHome()
contender.configure(home, { ...one, ...Object.fromEntries(broken) })
const client = await connect(contender, home)
await client.echo('ready')
const { pid } = client.child
const started = performance.now()
const before = processorTime(pid)
const stop = callHealthy(client)
const [replies] = await Promise.all([
  Promise.all(kinds.map((kind) => replyOf(client, kind))),
  wait(leastMs),
])
const calls = await stop()
if (client.hasEnded()) problems.add('The aggregator died')
else {
  const share = (processorTime(pid) - before) / (performance.now() - started)
  const seconds = ((performance.now() - started) / 1_000).toFixed(0)
  const rows = replies.map(({ kind, reply, seconds: time }) => [
    all[kind].title,
    reply.slice(0, 100),
    time.toFixed(1),
  ])
  printTable(`One call each, in ${values.mode}`, ['fault', 'outcome', 's'], rows)
  const columns = ['', 'calls', 'p50 ms', 'p95 ms', 'max ms']
  const healthy = [
    ['while all start', calls.filter((call) => call.at < startMs)],
    ['after that', calls.filter((call) => call.at >= startMs)],
    ['all', calls],
  ].map(([when, some]) => {
    const times = some.map(({ time }) => time)
    return [when, some.length, ...[0.5, 0.95, 1].map((part) => at(times, part)?.toFixed(1))]
  })
  printTable(`The healthy server meanwhile, ${seconds} s`, columns, healthy)
  const peak = residentMemory(pid, 'VmHWM').toFixed(0)
  console.log(`\nThe aggregator: ${(100 * share).toFixed(0)} % of a core, ${peak} MB RSS at most`)
  await end(client, home)
}
if (values.whole) for (const { kind, reply } of replies) console.log(`\n${kind}: ${reply}`)
await client.close()
removeHome(home)
for (const problem of problems) console.log(`\n! ${problem}`)
process.exit(problems.size > 0 ? 1 : 0)
