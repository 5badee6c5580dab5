// code-mcp over stdio, as a client has it.
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { codeFolder } from './corpora.mjs'

const main = fileURLToPath(new URL('../../apps/code-mcp/dist/main.js', import.meta.url))

/** Tokens of o200k. */
export const tokensOf = (text) => encode(text, { disallowedSpecial: new Set() }).length

/** With the root that is served. */
export async function connect(root = codeFolder) {
  const client = new Client({ name: 'bench', version: '0' })
  const args = [main, '--parse-timeout', '120', '--search-wait', '120', root]
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, stderr: 'inherit' }),
  )
  return {
    client,
    close: () => client.close(),
    async call(name, args) {
      const { content, isError } = await client.callTool(
        { name, arguments: args },
        { timeout: 300_000 },
      )
      const text = content.map((part) => part.text ?? '').join('\n')
      if (isError) throw new Error(`${name} ${JSON.stringify(args)}: ${text}`)
      return text
    },
    /** The replies with all pages of a function, in their order. */
    async *pages(file, symbol, pageSize) {
      const args = { chunk_id: `${file}#${symbol}`, ...(pageSize && { page_size: pageSize }) }
      let token
      do {
        const reply = await this.call('get_chunk', {
          ...args,
          ...(token && { page_token: token }),
        })
        yield reply
        token = nextToken(reply)
      } while (token)
    },
  }
}

/** The token that the first line of a page names for the next one. */
export const nextToken = (reply) => / next (\d+\.\w+)/.exec(reply.split('\n', 1)[0])?.[1]

/** What stands in the fence, and the lines that are repeated above it. */
export function partsOf(reply) {
  const lines = reply.split('\n')
  const open = lines.findIndex((line) => /^`{3,}\w*$/.test(line))
  const close = lines.indexOf(lines[open].match(/^`+/)[0], open + 1)
  const repeated = lines.indexOf('repeated from above:')
  const isRepeated = repeated >= 0 && repeated < open
  return {
    text: lines.slice(open + 1, close).join('\n'),
    repeated: isRepeated ? lines.slice(repeated, open).join('\n') : '',
  }
}
