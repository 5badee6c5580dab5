// One measurement of index.mjs, in a process of its own.
//   build <adapter> <sections file> <folder>
//   ask <adapter> <queries file> <folder> <seconds>
import { readFileSync } from 'node:fs'

const [task, adapter, file, folder, seconds] = process.argv.slice(2)
const sinceSpawn = () => performance.timeOrigin + performance.now() - Number(process.env.SPAWNED_AT)
const megabytes = (bytes) => bytes / 2 ** 20
const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]

async function build({ build }) {
  await build(file, folder)
  return { seconds: sinceSpawn() / 1000, rss: megabytes(process.resourceUsage().maxRSS * 1024) }
}

const isAnswer = (query) => (result) =>
  result.url.split('#')[0] === query.url && (result.id === query.id || result.title === query.title)

/** One of each class in turn, so that any beginning is a fair part. */
function alternating(queries) {
  const nth = new Map()
  const order = queries.map((query) => {
    const turn = nth.get(query.class) ?? 0
    nth.set(query.class, turn + 1)
    return { query, turn }
  })
  return order.toSorted((a, b) => a.turn - b.turn).map(({ query }) => query)
}

/** As many of the queries as there is time for. */
async function within(limit, queries, work) {
  const began = performance.now()
  for (const query of queries) {
    if (performance.now() - began > limit * 1000) break
    await work(query)
  }
}

async function ask({ name, start }) {
  const search = await start(folder)
  if ((await search('create index concurrently', 5)).length === 0) throw new Error('nothing found')
  const first = sinceSpawn()
  const queries = alternating(JSON.parse(readFileSync(file, 'utf8')))
  // Compiled by then, as it is in a server that has been asked before.
  await within(10, queries.slice(-100), ({ query }) => search(query, 5))
  const times = []
  const tallies = {}
  await within(Number(seconds), queries, async (query) => {
    const began = performance.now()
    const results = await search(query.query, 5)
    times.push(performance.now() - began)
    tallies[query.class] ??= { found: 0, all: 0 }
    const tally = tallies[query.class]
    tally.all++
    if (results.slice(0, 5).some(isAnswer(query))) tally.found++
  })
  const sorted = times.toSorted((a, b) => a - b)
  return {
    name,
    first,
    asked: times.length,
    p50: at(sorted, 0.5),
    p99: at(sorted, 0.99),
    rss: megabytes(process.memoryUsage().rss),
    found: Object.fromEntries(
      Object.entries(tallies).map(([kind, { found, all }]) => [kind, found / all]),
    ),
  }
}

// Without its runner there is nobody to report to.
process.on('disconnect', () => process.exit())
const module = await import(new URL(`adapters/${adapter}.mjs`, import.meta.url))
process.send(await (task === 'build' ? build(module) : ask(module)), () => process.exit())
