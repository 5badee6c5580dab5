import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { createAggregator, readConfig } from '@pith-mcp/aggregator'

const { servers } = await readConfig(
  `{
    // As Claude Desktop, Cursor and others write it.
    "mcpServers": {
      "notes": { "url": "\${NOTES_URL:-http://127.0.0.1:9/mcp}" }
    }
  }`,
  process.env,
)
const aggregator = createAggregator({ servers, mode: 'meta' })

const [near, far] = InMemoryTransport.createLinkedPair()
await aggregator.createServer({ era: 'legacy' }).connect(far)
const client = new Client({ name: 'example', version: '1' })
await client.connect(near)
const { tools } = await client.listTools()
console.log(tools.map(({ name }) => name).join(', '))

await client.close()
await aggregator.close()
