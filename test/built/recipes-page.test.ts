import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, expect, test } from 'vitest'

const main = resolve('apps/aggregator-mcp/dist/main.js')
const server = fileURLToPath(new URL('notes-server.mjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'recipes-'))
afterAll(() => rmSync(folder, { recursive: true }))

const recipes = new Map(
  [
    ...readFileSync('docs/recipes.md', 'utf8').matchAll(/^## (.+)\n\n```jsonc\n([\s\S]*?)```\n/gm),
  ].map(([, title = '', config = '']) => [title, config]),
)

type Call = { tool: string; params?: Record<string, unknown>; account?: string }

interface Expectation {
  profile?: string
  tools?: string[]
  /** Each call, and what its reply has. */
  calls: [Call, RegExp][]
}

const all = ['search_notes', 'write_note', 'delete_note']
const expectations: Record<string, Expectation> = {
  'Block a tool': {
    tools: ['search_notes', 'write_note'],
    calls: [[{ tool: 'delete_note' }, /has no tool "delete_note"/]],
  },
  'Give a group read-only access': {
    profile: 'readers',
    tools: ['search_notes'],
    calls: [
      [{ tool: 'write_note' }, /has no tool "write_note"/],
      [{ tool: 'search_notes' }, /^search_notes by nobody$/],
    ],
  },
  'Use one server with two accounts': {
    calls: [
      [{ tool: 'search_notes' }, /^search_notes by ada$/],
      [{ tool: 'search_notes', account: 'work' }, /^search_notes by bob$/],
    ],
  },
  'Keep one account for a profile': {
    profile: 'office',
    calls: [
      [{ tool: 'search_notes' }, /^search_notes by bob$/],
      [{ tool: 'search_notes', account: 'personal' }, /no account "personal"/],
    ],
  },
  'Forbid calls by their arguments': {
    calls: [
      [{ tool: 'write_note', params: { path: '/srv/notes/a.md' } }, /^write_note by nobody$/],
      [{ tool: 'write_note', params: { path: '/etc/passwd' } }, /is denied by/],
    ],
  },
  'Limit how often a tool is called': {
    calls: [
      [{ tool: 'search_notes' }, /^search_notes by/],
      [{ tool: 'search_notes' }, /^search_notes by/],
      [{ tool: 'search_notes' }, /limit is reached.*Call again in/s],
    ],
  },
}

test('every recipe of the manual is tried', () => {
  expect([...recipes.keys()]).toEqual(Object.keys(expectations))
})

test.for(Object.entries(expectations))(
  'the recipe “%s” does what it says',
  async ([title, { profile, tools = all, calls }]) => {
    const config = join(folder, `${title}.json`)
    const command = `"command": ${JSON.stringify(process.execPath)}`
    const text = (recipes.get(title) ?? '')
      .replaceAll('"command": "npx"', command)
      .replaceAll('["-y", "notes-mcp"]', JSON.stringify([server]))
    writeFileSync(config, text)
    const args = [main, '--config', config, '--no-state', '--no-share']
    if (profile) args.push('--profile', profile)
    const client = new Client({ name: 'test', version: '0' })
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }),
    )
    try {
      const { content: schema } = await client.callTool({
        name: 'get_module_schema',
        arguments: { module: 'notes' },
      })
      expect(all.filter((tool) => JSON.stringify(schema).includes(tool))).toEqual(tools)
      for (const [{ tool, ...others }, reply] of calls) {
        const { content } = await client.callTool({
          name: 'call',
          arguments: { module: 'notes', tool_name: tool, params: {}, ...others },
        })
        expect(content.map((part) => ('text' in part ? part.text : '')).join('')).toMatch(reply)
      }
    } finally {
      await client.close()
    }
  },
)
