// docs-mcp over stdio, as a client has it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

/** Another build of it can be named, as to compare two. */
const main =
  process.env.DOCS_MCP ??
  fileURLToPath(new URL('../../apps/docs-mcp/dist/main.js', import.meta.url))

/** A server with an empty cache on disk, whatever ran before; without sources, in the folder of a project. */
export async function connect(sources, folder) {
  const cache = mkdtempSync(`${tmpdir()}/bench-docs-`)
  const server = await open(sources, cache, folder)
  return {
    ...server,
    async close() {
      await server.close()
      rmSync(cache, { recursive: true, force: true })
    },
  }
}

/** A server over a cache folder. */
export async function open(sources, cache, folder) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, ...sources],
    env: {
      ...process.env,
      XDG_CACHE_HOME: cache,
      ...(folder && { CLAUDE_PROJECT_DIR: folder }),
    },
    ...(folder && { cwd: folder }),
    stderr: 'inherit',
  })
  const client = new Client({ name: 'bench', version: '0' })
  await client.connect(transport)
  return {
    async call(name, args) {
      const options = { timeout: 300_000 }
      const { content, isError, _meta } = await client.callTool({ name, arguments: args }, options)
      const text = content.map((part) => part.text ?? '').join('\n')
      const data = _meta?.['io.github.pith-mcp/answer']
      return { text, data, isError: isError === true }
    },
    tools: async () => ({
      instructions: client.getInstructions(),
      tools: (await client.listTools()).tools,
    }),
    ping: () => client.ping(),
    close: () => client.close(),
  }
}

const isFrame = (line) => /^(?:\[.*\]|<\/?page_text\b.*>|)$/.test(line.trim())

/** The text of a page in a reply, without the lines around it that say where it is from. */
export function pageText(reply) {
  const lines = reply.split('\n')
  const isOpening = (line, at) => isFrame(line) && lines.slice(0, at).every(isFrame)
  const start = lines.findIndex((line, at) => !isOpening(line, at))
  let end = lines.length
  while (end > start && isFrame(lines[end - 1])) end--
  return `${lines.slice(Math.max(start, 0), end).join('\n')}\n`
}

/** The call that a reply names to go on, if it is one of the same tool. */
export function nextCall(reply, tool) {
  const [, name, args] = reply.match(/^\[next: (\w+)\((.*)\)\]\s*$/m) ?? []
  if (name !== tool) return undefined
  const pairs = args.matchAll(/(\w+)=("(?:[^"\\]|\\.)*"|\[[^\]]*\]|[^,\s]+)/g)
  return Object.fromEntries([...pairs].map(([, key, value]) => [key, JSON.parse(value)]))
}
