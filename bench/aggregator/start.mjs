// From the spawn to the first answer to tools/list that shows every tool of eight servers: with
// nothing kept, and started again on what the first start has kept (for mcporter, its daemon). Where
// the list never shows them (meta, slop-mcp), the first answer counts.
import { connect } from './client.mjs'
import { aggregators, direct } from './contenders.mjs'
import { createHome, removeHome, start as spawn, wait } from './processes.mjs'
import { interleave, median, present, printTable, rowsOf } from './report.mjs'
import { eight, shows } from './upstreams.mjs'

/** Until the list is whole; `servers` are those it has to show. */
export async function wholeList(client, contender, servers, limit = 60_000) {
  for (;;) {
    const tools = await client.list(Math.max(1, limit - client.elapsed()))
    if (contender.lists === 'own' || shows(tools, servers, contender.lists)) return tools
    await wait(10)
  }
}

async function timeToList(contender, home) {
  const client = await connect(contender, home)
  try {
    const tools = await wholeList(client, contender, eight)
    return { time: client.elapsed(), tools: tools.length, client }
  } catch (error) {
    await client.close()
    throw error
  }
}

async function coldAndKept(contender) {
  const home = createHome()
  try {
    contender.configure(home, eight)
    const first = await timeToList(contender, home)
    // Time to write what it keeps, and for servers that a list did not wait for.
    await wait(1_500)
    await first.client.close()
    const second = await timeToList(contender, home)
    await second.client.close()
    return { cold: first.time, kept: second.time, tools: second.tools }
  } finally {
    removeHome(home)
  }
}

/** The eight servers themselves, all at once. */
async function allAtOnce() {
  const home = createHome()
  const started = performance.now()
  try {
    const lists = await Promise.all(
      Object.values(eight).map(async (server) => {
        const client = await connect({ ...direct, stdio: () => server }, home)
        return { client, tools: (await client.list()).length }
      }),
    )
    const cold = performance.now() - started
    await Promise.all(lists.map(({ client }) => client.close()))
    return { cold, tools: lists.reduce((sum, { tools }) => sum + tools, 0) }
  } finally {
    removeHome(home)
  }
}

async function nodeAlone() {
  const home = createHome()
  const started = performance.now()
  const child = spawn({ command: process.execPath, args: ['-e', ''] }, home, ['ignore', 'ignore'])
  await new Promise((resolve) => child.once('exit', resolve))
  removeHome(home)
  return { cold: performance.now() - started }
}

const alone = { name: 'node -e "", to its end' }

export async function start({ rounds = 5, only }) {
  const contenders = [alone, ...present([direct], undefined), ...present(aggregators, only)]
  const run = (contender) => {
    if (contender === alone) return nodeAlone()
    return contender === direct ? allAtOnce() : coldAndKept(contender)
  }
  const results = await interleave(contenders, rounds, run)
  const columns = ['', 'cold, ms', 'with what it kept, ms', 'tools listed']
  const rows = rowsOf(results, columns, (all) => [
    median(all.map(({ cold }) => cold)).toFixed(0),
    all[0].kept === undefined ? '' : median(all.map(({ kept }) => kept)).toFixed(0),
    all[0].tools ?? '',
  ])
  printTable(`Spawn to the whole list of eight servers, medians of ${rounds}`, columns, rows)
}
