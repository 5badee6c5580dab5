// What a model pays on every turn for the tools that docs-mcp lists, in each of its modes, and for
// those of code-mcp.
//   node tool-lists.mjs
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'

const mainOf = (app) => new URL(`../../apps/${app}/dist/main.js`, import.meta.url).pathname
const modes = [
  ['docs-mcp', []],
  ['docs-mcp --compat aws', ['--compat', 'aws']],
  ['docs-mcp --compat aws --site aws-cn', ['--compat', 'aws', '--site', 'aws-cn']],
  ['docs-mcp --compat snowflake', ['--compat', 'snowflake']],
  ['code-mcp', []],
]

console.log('| mode | tools | tokens of tools/list | of the instructions |\n|---|---|---|---|')
for (const [name, flags] of modes) {
  const client = new Client({ name: 'bench', version: '0' })
  const isCode = name === 'code-mcp'
  const args = [mainOf(isCode ? name : 'docs-mcp'), ...(isCode ? ['.'] : ['--no-cache']), ...flags]
  await client.connect(new StdioClientTransport({ command: process.execPath, args }))
  const { tools } = await client.listTools()
  const tokens = [JSON.stringify(tools), client.getInstructions() ?? ''].map(
    (text) => encode(text).length,
  )
  console.log(`| ${name} | ${tools.length} | ${tokens.join(' | ')} |`)
  await client.close()
}
