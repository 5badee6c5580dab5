// What a large journal in PostgreSQL costs to read: lines of 30 days and 4 writers, with chain values.
// Needs PostgreSQL, and 1 GB of disk a million lines.
//   node journal-size.mjs [--lines N, 1000000]
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chained, seedOf } from '../../packages/aggregator/dist/journal/chain.js'
import { startPostgres } from './engines.mjs'
import {
  createHome,
  freePort,
  processorTime,
  residentMemory,
  start,
  stop,
  wait,
} from './processes.mjs'
import { printTable } from './report.mjs'

const path = (file) => fileURLToPath(new URL(file, import.meta.url))
const main = process.env.AGGREGATOR_MCP ?? path('../../apps/aggregator-mcp/dist/main.js')
const days = 30
const writers = ['writer00', 'writer01', 'writer02', 'writer03']
/** Lines that a writer writes at once. */
const group = 50
const dayMs = 86_400_000
const end = Math.floor(Date.now() / dayMs) * dayMs

let seed = 1
function random(below) {
  seed = (seed * 16_807) % 2_147_483_647
  return seed % below
}

function lineAt(ms) {
  const server = random(20)
  const resultTokens = 50 + random(4_000)
  return JSON.stringify({
    time: new Date(ms).toISOString(),
    kind: random(20) === 0 ? 'meta' : 'call',
    session: `session${random(500)}`,
    caller: `caller${random(30)}`,
    module: `server${server}`,
    tool: `tool${random(10)}`,
    argsHash: random(2 ** 31)
      .toString(16)
      .padStart(16, '0'),
    argsBytes: random(400),
    argsTokens: random(100),
    resultBytes: 4 * resultTokens,
    resultTokens,
    sentTokens: Math.min(resultTokens, 2_000),
    // Most are short, some take seconds.
    ms: Math.round(2 ** (random(1_300) / 100)),
    outcome: random(50) === 0 ? 'tool_error' : 'ok',
  })
}

async function fill(url, lines) {
  for (let ago = days; ago > 0; ago--) {
    const [day, next] = [ago, ago - 1].map((n) =>
      new Date(end - n * dayMs).toISOString().slice(0, 10),
    )
    const name = `pith_journal_${day.replaceAll('-', '')}`
    const bounds = `FROM ('${day}') TO ('${next}')`
    ask(`CREATE TABLE ${name} PARTITION OF pith_journal FOR VALUES ${bounds}`)
  }
  const psql = (text) =>
    spawn('psql', [url, '-Xqc', text], { stdio: ['pipe', 'inherit', 'inherit'] })
  const copy = psql('COPY pith_journal FROM STDIN')
  const records = psql('COPY pith_journal_writers (replica, day, first, number, chain) FROM STDIN')
  const ends = writers.map((replica) => ({ replica, number: 0, chain: seedOf(replica) }))
  const groups = Math.round(lines / days / writers.length / group)
  for (let ago = days; ago > 0; ago--) {
    const from = end - ago * dayMs
    const day = new Date(from).toISOString().slice(0, 10)
    const firsts = ends.map(({ number }) => number + 1)
    for (let at = 0; at < groups; at++)
      for (const one of ends) {
        const ms = from + Math.floor((at / groups) * (dayMs - 1_000))
        const texts = Array.from({ length: group }, (_, n) => lineAt(ms + n))
        const [text, chain] = chained(texts.join('\n'), one.chain, true)
        one.chain = chain
        const rows = text.trimEnd().split('\n')
        const copied = rows.map((line, n) =>
          [day, one.replica, ++one.number, new Date(ms + n).toISOString(), line].join('\t'),
        )
        if (!copy.stdin.write(`${copied.join('\n')}\n`)) await once(copy.stdin, 'drain')
      }
    for (const [at, { replica, number, chain }] of ends.entries())
      records.stdin.write(`${[replica, day, firsts[at], number, chain].join('\t')}\n`)
  }
  for (const child of [copy, records]) {
    child.stdin.end()
    await once(child, 'exit')
  }
  return ends.reduce((sum, { number }) => sum + number, 0)
}

const { values } = parseArgs({ options: { lines: { type: 'string', default: '1000000' } } })
const postgres = await startPostgres()
const ask = (text) => execFileSync('psql', [postgres.url, '-XAtc', text]).toString().trim()
ask('ALTER DATABASE postgres SET pg_stat_statements.track_planning = on')
const home = createHome()
const echo = { command: process.execPath, args: [path('echo-server.mjs')] }
writeFileSync(join(home, 'mcp.json'), JSON.stringify({ mcpServers: { echo } }))
const env = {
  PITH_DATABASE_URL: postgres.url,
  PITH_CLUSTER_KEY: randomBytes(32).toString('base64'),
}
const flags = ['--config', join(home, 'mcp.json'), '--state', join(home, 'state')]
/** Planning and execution, without what this file asks. */
const databaseMs = () =>
  Number(
    ask(`SELECT coalesce(sum(total_plan_time + total_exec_time), 0) FROM pg_stat_statements
         WHERE query !~ 'pg_stat_statements|COPY|CREATE'`),
  )

async function command(words, { ms: maxMs } = {}) {
  const args = [main, ...words, ...flags]
  const before = databaseMs()
  const started = performance.now()
  const child = start({ command: process.execPath, args, env }, home, ['ignore', 'ignore'])
  let megabytes = 0
  const timer = setInterval(() => {
    try {
      megabytes = residentMemory(child.pid, 'VmHWM')
    } catch {
      // It has ended.
    }
  }, 50)
  if (maxMs) setTimeout(() => child.kill('SIGINT'), maxMs)
  await once(child, 'exit')
  clearInterval(timer)
  return { ms: performance.now() - started, megabytes, database: databaseMs() - before }
}

execFileSync(process.execPath, [main, 'migrate'], { env: { ...process.env, ...env } })
const started = performance.now()
const lines = await fill(postgres.url, Number(values.lines))
console.log(`${lines} lines in ${((performance.now() - started) / 1_000).toFixed(0)} s`)

// A replica sums up what there is when it writes its first line.
const port = await freePort()
const served = { command: process.execPath, args: [main, ...flags, '--http', `${port}`], env }
const replica = start(served, home, ['ignore', 'ignore'])
const from = performance.now()
const before = databaseMs()
const summed = () =>
  Number(ask(`SELECT coalesce(sum(number), 0) FROM pith_journal_summed WHERE replica ~ '^writer'`))
while (summed() < lines) {
  if (performance.now() - from > 1_800_000) throw new Error('The lines are not summed up')
  await wait(1_000)
}
printTable(`${lines} lines`, ['command', 's', 'database, ms', 'peak RSS, MB'], [])
const print = (name, { ms, database, megabytes }) =>
  console.log(
    `| ${name} | ${(ms / 1_000).toFixed(2)} | ${database.toFixed(1)} | ${megabytes.toFixed(0)} |`,
  )
print(`the sums, once, ${(processorTime(replica.pid) / 1_000).toFixed(0)} s of CPU`, {
  ms: performance.now() - from,
  database: databaseMs() - before,
  megabytes: residentMemory(replica.pid, 'VmHWM'),
})
for (const words of [
  ['stats'],
  ['stats', '--by', 'tool'],
  ['stats', '--by', 'caller'],
  ['stats', '--since', '7d'],
  ['journal'],
  ['journal', '--since', '20d', '--until', '10d'],
  ['journal', '--caller', 'caller7'],
])
  print(words.join(' '), await command(words))
// Lines of today and yesterday come first: a poll is the statement that looks for new ones.
const polls = () =>
  ask(`SELECT coalesce(sum(calls), 0), coalesce(sum(total_plan_time + total_exec_time), 0)
       FROM pg_stat_statements WHERE query ~ '^WITH RECURSIVE days'`)
    .split('|')
    .map(Number)
const [calls, spent] = polls()
const follow = await command(['journal', '--follow'], { ms: 30_000 })
const [allCalls, allSpent] = polls()
const poll = { ms: 500, database: (allSpent - spent) / (allCalls - calls) }
print('a poll of journal --follow', { ...follow, ...poll })
for (const words of [
  ['journal', 'verify'],
  ['journal', '--format', 'jsonl'],
])
  print(words.join(' '), await command(words))
await stop(replica)
await postgres.close()
process.exit()
