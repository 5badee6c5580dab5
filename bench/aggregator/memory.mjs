// Resident memory of the aggregator's own process, without the eight servers behind it: after it
// has listed and rested, and after 5,000 calls, 16 in flight. A daemon of its own is added.
import { connect } from './client.mjs'
import { aggregators } from './contenders.mjs'
import {
  commandLineOf,
  createHome,
  processesOf,
  removeHome,
  residentMemory,
  wait,
} from './processes.mjs'
import { interleave, median, present, printTable, rowsOf } from './report.mjs'
import { wholeList } from './start.mjs'
import { eight } from './upstreams.mjs'

const calls = 5_000

function ownMemory({ daemon }, client, home) {
  const others = daemon
    ? processesOf(home).filter((pid) => commandLineOf(pid).includes(daemon))
    : []
  return [client.child.pid, ...others].map(residentMemory)
}

async function measure(contender) {
  const home = createHome()
  try {
    contender.configure(home, eight)
    const client = await connect(contender, home)
    await wholeList(client, contender, eight)
    await wait(3_000)
    const idle = ownMemory(contender, client, home)
    let left = calls
    const work = async () => {
      while (left-- > 0) await client.call('everything1', 'echo', { message: `bench ${left}` })
    }
    await Promise.all(Array.from({ length: 16 }, work))
    await wait(2_000)
    const after = ownMemory(contender, client, home)
    await client.close()
    return { idle, after }
  } finally {
    removeHome(home)
  }
}

/** The medians of each process, as `90 + 96`. */
const sums = (all) =>
  all[0].map((_, at) => median(all.map((processes) => processes[at])).toFixed(0)).join(' + ')

export async function memory({ rounds = 3, only }) {
  const results = await interleave(present(aggregators, only), rounds, measure)
  const columns = ['', 'idle after listing, MB', `after ${calls.toLocaleString('en')} calls, MB`]
  const rows = rowsOf(results, columns, (all) => [
    sums(all.map(({ idle }) => idle)),
    sums(all.map(({ after }) => after)),
  ])
  printTable(`Own RSS before eight servers, medians of ${rounds}`, columns, rows)
}
