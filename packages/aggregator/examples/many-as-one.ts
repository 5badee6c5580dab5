import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { createAggregator, readConfig } from '@pith-mcp/aggregator'

const { servers } = await readConfig(
  `{
    // The format of Claude Desktop, Cursor and others.
    "mcpServers": {
      "notes": { "url": "\${NOTES_URL:-http://127.0.0.1:9/mcp}" }
    }
  }`,
  process.env,
)
const aggregator = createAggregator({ servers, mode: 'meta' })

const [clientTransport, serverTransport] = InMemoryTransport.createLinkedPair()
await aggregator.createServer({ era: 'legacy' }).connect(serverTransport)
const client = new Client({ name: 'example', version: '1' })
await client.connect(clientTransport)
const { tools } = await client.listTools()
console.log(tools.map(({ name }) => name).join(', '))

await client.close()
await aggregator.close()
