import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const DATA = await mkdtemp(join(tmpdir(), 'two-accounts-'))
const aggregator = fileURLToPath(import.meta.resolve('@pith-mcp/aggregator-mcp/dist/main.js'))
const config = fileURLToPath(new URL('servers.json', import.meta.url))

const client = new Client({ name: 'two-accounts', version: '1.0.0' })
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: [aggregator, '--config', config, '--state', join(DATA, 'state')],
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    env: { ...process.env, DATA },
  }),
)
const ask = async (name, args) => {
  const { content } = await client.callTool({ name, arguments: args })
  return content.map(({ text }) => text).join('\n')
}

// All a model sees, whatever stands behind it. The modules are named in a description.
const { tools } = await client.listTools()
console.log(`tools: ${tools.map(({ name }) => name).join(', ')}`)
console.log(tools.find(({ name }) => name === 'search_tools').description)

// The same tool in each account: two processes, two memories.
for (const [account, person] of Object.entries({ home: 'Ada', work: 'Grace' })) {
  const entities = [{ name: person, entityType: 'person', observations: [`is of ${account}`] }]
  const params = { entities }
  await ask('call', { module: 'memory', tool_name: 'create_entities', account, params })
}
for (const account of ['home', 'work']) {
  const graph = await ask('call', { module: 'memory', tool_name: 'read_graph', account })
  console.log(`${account}: ${JSON.parse(graph).entities.map(({ name }) => name)}`)
}

// Several calls at once: `sum` runs beside `write`, `read` waits for it, and `note` takes the sum.
const path = join(DATA, 'note.txt')
const commands = [
  { id: 'sum', module: 'everything', tool_name: 'get-sum', params: { a: 2, b: 40 } },
  {
    id: 'write',
    module: 'files',
    tool_name: 'write_file',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference, which the aggregator puts in.
    params: { path, content: 'The sum: ${sum}' },
  },
  {
    id: 'read',
    module: 'files',
    tool_name: 'read_text_file',
    params: { path },
    after: ['write'],
    output: true,
  },
]
console.log(await ask('batch', { commands: commands.map((one) => JSON.stringify(one)).join('\n') }))

await client.close()
await rm(DATA, { recursive: true })
