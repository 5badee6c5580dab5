import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../../packages/base/test/temporary-folder.ts'
import { configure } from './aggregator-process.ts'

const { resolve } = createRequire(import.meta.url)
const folder = temporaryFolder()
writeFileSync(join(folder, 'note.txt'), 'a note')
const manual = fileURLToPath(new URL('../../../../docs', import.meta.url))
const docsMcp = fileURLToPath(new URL('../../../docs-mcp/dist/main.js', import.meta.url))

const script = (path: string, ...args: string[]) => ({
  command: process.execPath,
  args: [path, ...args],
})
const official = (name: string, ...args: string[]) =>
  script(resolve(`@modelcontextprotocol/server-${name}/dist/index.js`), ...args)

const { args, remove } = configure({
  everything: official('everything'),
  files: official('filesystem', folder),
  memory: { ...official('memory'), env: { MEMORY_FILE_PATH: join(folder, 'memory.json') } },
  thinking: official('sequential-thinking'),
  docs: script(docsMcp, '--no-cache', manual),
})
afterAll(() => remove())

const env = { AGGREGATOR_MCP_SHARE: 'off' }
const command = { command: process.execPath, args, env, stderr: 'pipe' as const }
const info = { name: 'test', version: '0' }
const clients = [
  ['version 1', () => new FirstClient(info), FirstTransport],
  ['version 2 of 2025', () => new Client(info), StdioClientTransport],
  [
    'version 2 of 2026',
    () => new Client(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
    StdioClientTransport,
  ],
] as const

/** The second has the SDK of the third and the era of the first. */
const used = process.env['LONG'] === '1' ? clients : [clients[0], clients[2]]

describe.each(used)(
  'the reference servers and ours, by a client of SDK %s',
  (_name, create, Transport) => {
    test('work together', async () => {
      const client = create() as Client
      await client.connect(new Transport(command) as StdioClientTransport)
      const use = async (name: string, given: object) => {
        const result = await client.callTool({ name, arguments: { ...given } })
        return (result.content as { text?: string }[])[0]?.text ?? ''
      }
      const call = (module: string, tool_name: string, params: object) =>
        use('call', { module, tool_name, params })
      try {
        expect((await client.listTools()).tools).toHaveLength(5)
        expect(await call('everything', 'echo', { message: 'hi' })).toBe('Echo: hi')
        expect(await call('files', 'read_text_file', { path: join(folder, 'note.txt') })).toBe(
          'a note',
        )
        const entities = [{ name: 'pith', entityType: 'project', observations: ['small'] }]
        await call('memory', 'create_entities', { entities })
        expect(await call('memory', 'read_graph', {})).toContain('"pith"')
        expect(
          await call('thinking', 'sequentialthinking', {
            thought: 'one',
            thoughtNumber: 1,
            totalThoughts: 1,
            nextThoughtNeeded: false,
          }),
        ).toContain('"thoughtNumber": 1')
        expect(await call('docs', 'search_docs', { query: 'page tokens' })).toMatch(
          /http|file|\.md/,
        )
        const found = await use('search_tools', { query: 'read a text file' })
        expect(found).toContain('files.read_text_file(path*: string')
        const { prompts } = await client.listPrompts()
        expect(prompts.map(({ name }) => name)).toContain('everything__simple-prompt')
        const { resources } = await client.listResources()
        const [resource] = resources
        const { contents } = await client.readResource({ uri: resource?.uri ?? '' })
        expect(contents).toHaveLength(1)
      } finally {
        await client.close()
      }
    }, 60_000)
  },
)
