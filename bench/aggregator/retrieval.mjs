// How well the real search_tools finds tools, on sets that a folder holds (see bench/README.md), with
// the servers of a set behind one aggregator; and how long it takes.
//   node retrieval.mjs <folder> [queries a set, all]
import { createAggregator } from '../../packages/aggregator/dist/index.js'
import { average, measure } from '../scorer/measures.mjs'
import { toolSets } from '../scorer/sets.mjs'

const [folder, most = 'Infinity'] = process.argv.slice(2)
if (!folder) {
  console.error('node retrieval.mjs <folder with a folder a set> [queries a set]')
  process.exit(1)
}

/** A server of this process that lists its tools and does nothing else. */
const connectionOf = (tools) => ({
  era: 'modern',
  capabilities: { tools: {} },
  serverInfo: undefined,
  instructions: undefined,
  closed: new Promise(() => {}),
  async request({ method }) {
    return method === 'tools/list' ? { tools } : {}
  },
  notify() {},
  async follow() {},
  async close() {},
})

/** Names of servers as a configuration takes them. */
function namesFor(servers) {
  const taken = new Set()
  return new Map(
    servers.map((server) => {
      const plain = `${server ?? 'tools'}`.replace(/[^\w. -]+/g, '-').replace(/^[^a-zA-Z0-9]+/, '')
      let name = plain.slice(0, 50) || 'server'
      for (let n = 2; taken.has(name); n++) name = `${plain.slice(0, 50)}-${n}`
      taken.add(name)
      return [server, name]
    }),
  )
}

async function openSet(items) {
  const names = namesFor([...new Set(items.map(({ server }) => server))])
  const tools = new Map([...names.values()].map((name) => [name, []]))
  const ids = new Map()
  const abouts = new Map()
  for (const { id, server, name, title, description, inputSchema, serverDescription } of items) {
    const module = names.get(server)
    tools.get(module).push({ name, title, description, inputSchema: inputSchema ?? {} })
    ids.set(`${module}.${name}`, id)
    if (serverDescription) abouts.set(module, serverDescription)
  }
  const aggregator = createAggregator({
    servers: [...tools.keys()].map((name) => ({
      name,
      description: abouts.get(name),
      type: 'stdio',
      command: '-',
      args: [],
      env: {},
      variables: [],
      timeoutMs: 10_000,
      startTimeoutMs: 10_000,
      idleMs: 0,
      isolate: false,
    })),
    connect: async ({ server }) => connectionOf(tools.get(server.name)),
    // Definitions of sets are not what a server would say.
    trust: { pin: false, scan: false },
  })
  await aggregator.receipt()
  const find = async (query, limit) => {
    const params = { name: 'search_tools', arguments: { query, limit } }
    const { content } = await aggregator.request({ method: 'tools/call', params })
    return content[0].text.split('\n').flatMap((line) => {
      const key = /^(.+?)\(/.exec(line)?.[1]
      return ids.has(key) ? [ids.get(key)] : []
    })
  }
  return { find, close: () => aggregator.close() }
}

const percent = (share) => (100 * share).toFixed(1)
const median = (times) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)]

console.log(
  '| set, tools | queries | nDCG@10 | first is right | R@5 | R@10 | p50 ms |\n|---|---|---|---|---|---|---|',
)
for (const { name: set, items, queries } of toolSets(folder)) {
  if (!queries) continue
  const { find, close } = await openSet(items)
  const step = Math.max(1, Math.ceil(queries.length / Number(most)))
  const asked = queries.filter((_, at) => at % step === 0)
  const results = []
  const times = []
  for (const { query, gold, groups } of asked) {
    const started = performance.now()
    const found = await find(query, 10)
    times.push(performance.now() - started)
    results.push(measure(found, groups ?? gold.map((id) => [id])))
  }
  const { ndcg, hit, r5, r10 } = average(results)
  console.log(
    `| ${set}, ${items.length} | ${asked.length} | ${[ndcg, hit, r5, r10].map(percent).join(' | ')} | ${median(times).toFixed(2)} |`,
  )
  await close()
}
process.exit()
