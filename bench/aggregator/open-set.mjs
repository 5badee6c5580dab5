// The tools of a set behind one aggregator in this process.
import { createAggregator } from '../../packages/aggregator/dist/index.js'

/** A server of this process that lists its tools; `answer` is what it returns to anything else. */
export const connectionOf = (tools, answer = () => ({})) => ({
  era: 'modern',
  capabilities: { tools: {} },
  serverInfo: undefined,
  instructions: undefined,
  closed: new Promise(() => {}),
  async request({ method }) {
    return method === 'tools/list' ? { tools } : answer()
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

/** The servers of a set behind one aggregator. */
export async function openSet(items) {
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
  return { aggregator, find, ids, close: () => aggregator.close() }
}
