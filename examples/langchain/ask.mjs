import { MultiServerMCPClient } from '@langchain/mcp-adapters'
import { createAgent } from 'langchain'
import { scriptedModel } from './scripted-model.mjs'

const [url = 'http://127.0.0.1:8808/mcp', ...words] = process.argv.slice(2)
const question = words.join(' ') || 'How is it installed?'
const token = process.env.AGGREGATOR_MCP_TOKEN
const headers = token ? { Authorization: `Bearer ${token}` } : {}

// The adapter hands `_meta`, which is for programs, to the model; without this it pays for that too.
const withoutMeta = (content) =>
  typeof content === 'string' ? content : content.map(({ meta, ...block }) => block)

const client = new MultiServerMCPClient({
  mcpServers: { pith: { transport: 'http', url, headers } },
  afterToolCall: ({ result: [content, artifacts] }) => ({
    result: [withoutMeta(content), artifacts],
  }),
})
const tools = await client.getTools()
console.log(`tools: ${tools.map(({ name }) => name).join(', ')}`)

// A real model goes here: model: 'openai:…' with @langchain/openai, 'anthropic:…' with its own.
const agent = createAgent({ model: scriptedModel(), tools })
const { messages } = await agent.invoke({ messages: [{ role: 'user', content: question }] })

for (const { name, args } of messages.flatMap((message) => message.tool_calls ?? []))
  console.log(`called: ${name} ${JSON.stringify(args)}`)
console.log(messages.at(-1).text)
await client.close()
