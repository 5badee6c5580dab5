// One call of a reader: prints the reply, and notes its tokens.
//   node call.mjs FOLDER ID TOOL 'JSON'      a tool of docs-mcp; TOOL tools lists them
//   node call.mjs FOLDER ID rg|sed ARGUMENT…
import { spawnSync } from 'node:child_process'
import { appendFileSync, readFileSync } from 'node:fs'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { open } from '../client.mjs'

const [folder, id, tool, ...args] = process.argv.slice(2)
const site = JSON.parse(readFileSync(`${folder}/sites.json`, 'utf8'))[id]
if (site === undefined || tool === undefined) {
  console.error(
    `Usage: node call.mjs FOLDER ID TOOL ARGUMENTS; ${JSON.stringify(id)} is no question.`,
  )
  process.exit(2)
}
const maxLength = 40_000

/** Output of a command in the folder of the site, as a shell tool of a client would return it. */
function run() {
  const { stdout, stderr } = spawnSync(tool, args, {
    cwd: site,
    encoding: 'utf8',
    timeout: 30_000,
    maxBuffer: 50_000_000,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const text = `${stdout}${stderr}`
  return text.length > maxLength ? `${text.slice(0, maxLength)}\n… ${text.length} characters` : text
}

async function ask() {
  const server = await open([site], `${folder}/cache`)
  try {
    if (tool === 'tools') {
      console.log(JSON.stringify(await server.tools(), null, 1))
      process.exit()
    }
    return (await server.call(tool, JSON.parse(args[0] ?? '{}'))).text
  } finally {
    await server.close()
  }
}

const text = ['rg', 'sed'].includes(tool) ? run() : await ask()
const tokens = encode(text).length
appendFileSync(`${folder}/calls.jsonl`, `${JSON.stringify({ id, tool, args, tokens, text })}\n`)
console.log(text)
console.log(`\n(${tokens} tokens)`)
