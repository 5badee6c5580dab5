import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { createDocs, type DocsOptions } from '@pith-mcp/docs'
import { type Compat, compatTools } from '../../src/compat/compat-tools.ts'
import { maxText } from '../../src/reply-limit.ts'
import { createServer } from '../../src/server.ts'

interface Reply {
  text: string
  isError: boolean
}

export interface Connection {
  names(): Promise<string[]>
  schema(tool: string): Promise<Record<string, { default?: unknown }>>
  call(tool: string, args: Record<string, unknown>): Promise<Reply>
  close(): Promise<void>
}

/** A client and a server with the tools of another. */
export async function connect(compat: Compat, options: DocsOptions): Promise<Connection> {
  const docs = await createDocs({ cap: maxText, ...options })
  const server = createServer({
    openDocs: async () => docs,
    sources: ['site'],
    compat: compatTools(compat),
  })
  const client = new Client({ name: 'test', version: '0' })
  const [near, far] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(far), client.connect(near)])
  const tools = async () => (await client.listTools()).tools
  return {
    names: async () => (await tools()).map(({ name }) => name),
    async schema(tool) {
      const found = (await tools()).find(({ name }) => name === tool)
      return (found?.inputSchema.properties ?? {}) as Record<string, { default?: unknown }>
    },
    async call(tool, args) {
      const { content, isError = false } = await client.callTool({ name: tool, arguments: args })
      const [first] = content
      return { text: first?.type === 'text' ? first.text : '', isError }
    },
    async close() {
      await client.close()
      await docs.close()
    },
  }
}
