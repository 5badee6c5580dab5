// Results of 1 and 10 MB over stdio, one at a time: how long one takes, and the processor time that it
// takes of the contender's own process. Pith redacts (the server has a secret in its environment),
// and writes its journal; `full` sends results whole.
import { fileURLToPath } from 'node:url'
import { connect } from './client.mjs'
import { callers, direct } from './contenders.mjs'
import { createHome, processorTime, removeHome, wait } from './processes.mjs'
import { interleave, median, present, printTable, rowsOf } from './report.mjs'

const sizes = [
  { characters: 1_000_000, calls: 20 },
  { characters: 10_000_000, calls: 5 },
]
const echo = fileURLToPath(new URL('echo-server.mjs', import.meta.url))
const env = { SECRET: 'a-secret-of-this-server' }
const servers = { large: { command: process.execPath, args: [echo], env } }
/** It is started as the others start it, without the servers that it is compared with. */
const directLarge = { ...direct, stdio: () => servers.large }

async function ready(client) {
  for (;;)
    try {
      return await client.call('large', 'echo', { message: 'ready' })
    } catch (error) {
      if (client.hasEnded() || client.elapsed() > 60_000) throw error
      await wait(25)
    }
}

async function fetchAll(client, { characters, calls }) {
  const times = []
  const before = processorTime(client.child.pid)
  for (let call = 0; call < calls; call++) {
    const started = performance.now()
    const { content } = await client.call('large', 'echo', { characters })
    times.push(performance.now() - started)
    if (content[0].text.length !== characters) throw new Error(`Cut: ${content[0].text.length}`)
  }
  return { ms: median(times), cpu: (processorTime(client.child.pid) - before) / calls }
}

export async function large({ rounds = 5, only }) {
  const whole = present(callers, only).filter(({ name, stdio }) => stdio && !/ meta/.test(name))
  const contenders = [directLarge, ...whole.filter((contender) => contender !== direct)]
  const open = new Map()
  async function run(contender) {
    if (!open.has(contender)) {
      const home = createHome()
      contender.configure(home, servers)
      open.set(contender, { home })
      open.get(contender).client = await connect(contender, home, { over: 'stdio' })
      await ready(open.get(contender).client)
    }
    const results = []
    for (const size of sizes) results.push(await fetchAll(open.get(contender).client, size))
    return results
  }
  try {
    const results = await interleave(contenders, rounds + 1, run)
    const columns = [
      '',
      ...sizes.flatMap(({ characters }) => {
        const size = `${characters / 1e6} MB`
        return [`${size}, ms`, `${size}, CPU ms`]
      }),
    ]
    const rows = rowsOf(results, columns, (all) =>
      sizes.flatMap((_, at) => [
        median(all.slice(1).map((sums) => sums[at].ms)).toFixed(1),
        median(all.slice(1).map((sums) => sums[at].cpu)).toFixed(1),
      ]),
    )
    printTable(`Large results over stdio, medians of ${rounds} rounds`, columns, rows)
  } finally {
    for (const { client, home } of open.values()) {
      await client?.close()
      removeHome(home)
    }
  }
}
