import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const [site = 'https://docs.pytest.org/', ...words] = process.argv.slice(2)
const query = words.join(' ') || 'skip a test'

const docsMcp = fileURLToPath(import.meta.resolve('@pith-mcp/docs-mcp/dist/main.js'))
const client = new Client({ name: 'ask', version: '1.0.0' })
await client.connect(new StdioClientTransport({ command: process.execPath, args: [docsMcp, site] }))

const found = await client.callTool({ name: 'search_docs', arguments: { query } })
console.log(found.content[0].text)

// What a model would read in the text stands in _meta for programs; an error is text alone.
if (found.isError) process.exitCode = 1
const [best] = found._meta?.['io.github.pith-mcp/answer']?.results ?? []
if (best) {
  const args = { url: best.url, include_code_blocks: true }
  const { content } = await client.callTool({ name: 'get_doc_section', arguments: args })
  console.log(`\n${content[0].text}`)
}
await client.close()
