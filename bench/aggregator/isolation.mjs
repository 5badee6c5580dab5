// What a hung server (it takes everything and never answers), a missing command and one that crashes
// at its start cost the two healthy ones beside them: from the spawn to the healthy echo, and to a
// list that shows the tools of both.
import { connect, LimitError } from './client.mjs'
import { aggregators } from './contenders.mjs'
import { createHome, removeHome, wait } from './processes.mjs'
import { interleave, median, present, printTable, rowsOf } from './report.mjs'
import { wholeList } from './start.mjs'
import { healthy, withBroken } from './upstreams.mjs'

const limit = 90_000

/** Asks again after an error, for the server may not be there yet; an answer that never comes is never. */
async function timeTo(client, work) {
  for (;;)
    try {
      await work(Math.max(1, limit - client.elapsed()))
      return client.elapsed()
    } catch (error) {
      if (client.hasEnded()) throw error
      if (error instanceof LimitError || client.elapsed() > limit) return Number.POSITIVE_INFINITY
      await wait(10)
    }
}

async function measure(contender, servers) {
  const home = createHome()
  try {
    contender.configure(home, servers)
    const client = await connect(contender, home, { limit })
    const [echo, list] = await Promise.all([
      timeTo(client, (left) => client.echo('healthy', left)),
      timeTo(client, (left) => wholeList(client, contender, healthy, left + client.elapsed())),
    ])
    await client.close()
    return { echo, list }
  } catch (error) {
    if (error instanceof LimitError)
      return { echo: Number.POSITIVE_INFINITY, list: Number.POSITIVE_INFINITY }
    throw error
  } finally {
    removeHome(home)
  }
}

const shown = (times) => {
  const time = median(times)
  return Number.isFinite(time) ? time.toFixed(0) : `> ${limit.toLocaleString('en')}`
}

export async function isolation({ rounds = 3, only }) {
  const given = new Set()
  const run = async (contender) => {
    const sound = await measure(contender, healthy)
    // Once it has taken all the time there is, it is not asked again.
    const broken = given.has(contender) ? undefined : await measure(contender, withBroken)
    if (Object.values(broken ?? {}).some((time) => !Number.isFinite(time))) given.add(contender)
    return { sound, broken }
  }
  const results = await interleave(present(aggregators, only), rounds, run)
  const columns = ['', 'echo, ms', 'beside three broken', 'list, ms', 'beside three broken']
  const rows = rowsOf(results, columns, (all) => {
    const broken = all.map((entry) => entry.broken).filter((entry) => entry !== undefined)
    return ['echo', 'list'].flatMap((key) => [
      shown(all.map(({ sound }) => sound[key])),
      shown(broken.map((entry) => entry[key])),
    ])
  })
  printTable(`Spawn to the healthy echo and list, medians of ${rounds}`, columns, rows)
}
