import { createMCPClient } from '@ai-sdk/mcp'
import { generateText, isStepCount } from 'ai'
import { scriptedModel } from './scripted-model.mjs'

const [url = 'http://127.0.0.1:8080/mcp', ...words] = process.argv.slice(2)
const prompt = words.join(' ') || 'How is it installed?'
const token = process.env.DOCS_MCP_TOKEN
const headers = token ? { Authorization: `Bearer ${token}` } : {}

const client = await createMCPClient({ transport: { type: 'http', url, headers } })
const tools = await client.tools()
console.log(`tools: ${Object.keys(tools).join(', ')}`)

const { text, steps } = await generateText({
  // A real one goes here: openai('…') of @ai-sdk/openai, anthropic('…') of @ai-sdk/anthropic.
  model: scriptedModel,
  tools,
  stopWhen: isStepCount(10),
  prompt,
})
for (const { toolName, input } of steps.flatMap(({ toolCalls }) => toolCalls))
  console.log(`called: ${toolName} ${JSON.stringify(input)}`)
console.log(text)
await client.close()
