// How long one call takes, and how many are answered a second with 16 in flight: everything's echo,
// each time with another message, through each contender.
import { connect } from './client.mjs'
import { callers, direct } from './contenders.mjs'
import { createHome, removeHome, wait } from './processes.mjs'
import { at, interleave, median, present, printTable, rowsOf } from './report.mjs'
import { one } from './upstreams.mjs'

const inFlight = 16
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

async function maxConcurrency(client) {
  const started = performance.now()
  let answered = 0
  const work = async () => {
    while (performance.now() - started < window) {
      await client.echo(`bench ${answered}`)
      answered++
    }
  }
  await Promise.all(Array.from({ length: inFlight }, work))
  return (1_000 * answered) / (performance.now() - started)
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
    return { round, p50: at(times, 0.5), p95: at(times, 0.95), rate: await maxConcurrency(client) }
  }
  try {
    // The first round is the warm-up.
    const results = await interleave(contenders, rounds + 1, run)
    const base = results.get(direct)
    const columns = [
      '',
      'p50 ms',
      'p95 ms',
      'over direct, p50 ms',
      `calls/s, ${inFlight} in flight`,
    ]
    const rows = rowsOf(results, columns, (all, contender) => {
      const counted = all.filter(({ round }) => round > 0)
      const middle = (of) => median(counted.map(of))
      const over = middle(({ round, p50 }) => p50 - base.all[round].p50)
      return [
        middle(({ p50 }) => p50).toFixed(2),
        middle(({ p95 }) => p95).toFixed(2),
        contender === direct ? '' : `${over < 0 ? '−' : '+'}${Math.abs(over).toFixed(2)}`,
        middle(({ rate }) => rate).toFixed(0),
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
