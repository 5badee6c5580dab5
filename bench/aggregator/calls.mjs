// How long one call takes, how many are answered a second with 16 and 64 in flight, and the
// processor time that each of these takes of the contender's own process: everything's echo, each
// time with another message, through each contender.
import { connect } from './client.mjs'
import { callers, direct } from './contenders.mjs'
import { createHome, processorTime, removeHome, wait } from './processes.mjs'
import { at, interleave, median, present, printTable, rowsOf } from './report.mjs'
import { one } from './upstreams.mjs'

const inFlight = [16, 64]
const window = 1_500

/** An aggregator may answer before the server behind it is there. */
async function ready(client) {
  for (;;)
    try {
      return await client.echo('ready')
    } catch (error) {
      if (client.hasEnded() || client.elapsed() > 60_000) throw error
      await wait(25)
    }
}

async function oneByOne(client, calls) {
  const times = []
  for (let index = 0; index < calls; index++) {
    const started = performance.now()
    await client.echo(`bench ${index}`)
    times.push(performance.now() - started)
  }
  return times
}

async function together(client, inFlight) {
  const before = processorTime(client.child.pid)
  const started = performance.now()
  let answered = 0
  const work = async () => {
    while (performance.now() - started < window) {
      await client.echo(`bench ${answered}`)
      answered++
    }
  }
  await Promise.all(Array.from({ length: inFlight }, work))
  const rate = (1_000 * answered) / (performance.now() - started)
  return { rate, cpu: (processorTime(client.child.pid) - before) / answered }
}

async function measure(over, title, { rounds = 5, calls = 500, only }) {
  const contenders = present(callers, only && ['direct', ...only]).filter((entry) => entry[over])
  const open = new Map()
  async function run(contender, round) {
    if (!open.has(contender)) {
      const home = createHome()
      contender.configure(home, one)
      open.set(contender, { home })
      open.get(contender).client = await connect(contender, home, { over })
      await ready(open.get(contender).client)
    }
    const { client } = open.get(contender)
    const times = await oneByOne(client, calls)
    const loads = []
    for (const number of inFlight) loads.push(await together(client, number))
    return { round, p50: at(times, 0.5), p95: at(times, 0.95), p99: at(times, 0.99), loads }
  }
  try {
    // The first round is the warm-up.
    const results = await interleave(contenders, rounds + 1, run)
    const base = results.get(direct)
    const columns = [
      '',
      'p50 ms',
      'p95 ms',
      'p99 ms, least to most of the rounds',
      'over direct, p50 ms',
      ...inFlight.map((number) => `calls/s, ${number} in flight`),
      ...inFlight.map((number) => `CPU ms a call, ${number}`),
    ]
    const rows = rowsOf(results, columns, (all, contender) => {
      const counted = all.filter(({ round }) => round > 0)
      const middle = (of) => median(counted.map(of))
      const p99s = counted.map(({ p99 }) => p99)
      const over = middle(({ round, p50 }) => p50 - base.all[round].p50)
      return [
        middle(({ p50 }) => p50).toFixed(2),
        middle(({ p95 }) => p95).toFixed(2),
        [median(p99s), Math.min(...p99s), Math.max(...p99s)].map((ms) => ms.toFixed(2)).join(' · '),
        contender === direct ? '' : `${over < 0 ? '−' : '+'}${Math.abs(over).toFixed(2)}`,
        ...inFlight.map((_, load) => middle(({ loads }) => loads[load].rate).toFixed(0)),
        ...inFlight.map((_, load) => middle(({ loads }) => loads[load].cpu).toFixed(3)),
      ]
    })
    printTable(`${title}, ${rounds} rounds of ${calls} calls`, columns, rows)
  } finally {
    for (const { client, home } of open.values()) {
      await client?.close()
      removeHome(home)
    }
  }
}

export const latency = (options) => measure('stdio', 'echo over stdio', options)
export const http = (options) =>
  measure('http', 'echo over Streamable HTTP; slop-mcp and mcp-hub over HTTP+SSE', options)
