// Connects real clients of both revisions, and of SDK version 1, to the URL that is its argument,
// and prints what each got. NODE_EXTRA_CA_CERTS, which only a new process reads, says whom they trust.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const [url = '', token = ''] = process.argv.slice(2)
const info = { name: 'test', version: '0' }
const options = { requestInit: { headers: { authorization: `Bearer ${token}` } } }
const pinned = { versionNegotiation: { mode: { pin: '2026-07-28' } } }
const clients = [
  ['2025-11-25', new Client(info), new StreamableHTTPClientTransport(new URL(url), options)],
  [
    '2026-07-28',
    new Client(info, pinned),
    new StreamableHTTPClientTransport(new URL(url), options),
  ],
  ['SDK 1', new FirstClient(info), new FirstTransport(new URL(url), options)],
]
for (const [name, client, transport] of clients) {
  await client.connect(transport)
  const version = client.getNegotiatedProtocolVersion?.() ?? name
  const { tools } = await client.listTools()
  console.log(version, tools.length > 0 ? 'lists tools' : 'lists nothing')
  await client.close()
}
