import { expect } from 'vitest'
import type { RowText } from '../../../../test/compat-table.ts'
import type { JsonObject } from '../../../servers/src/protocol/message.ts'
import { type FakeServer, text } from '../fake-servers.ts'

type Use = (tool: string, args: JsonObject) => Promise<string>

/** A line of docs/compat.md, and the calls that prove it. */
interface MetaToolRow extends RowText {
  check(use: Use): Promise<void>
}

const title = {
  type: 'object',
  properties: { title: { type: 'string' } },
  required: ['title'],
}
const byId = { type: 'object', properties: { id: { type: 'string' } } }
const results = { results: [{ id: 'p1' }, { id: 'p2' }] }

/** A server whose tools say what they were called with. */
export const pages: FakeServer = {
  tools: [
    {
      name: 'search',
      definition: { description: 'Search pages', inputSchema: title },
      run: () => ({ ...text(JSON.stringify(results)), structuredContent: results }),
    },
    {
      name: 'read',
      definition: { description: 'Read a page', inputSchema: byId },
      run: ({ id }) => text(`page ${id}`),
    },
    {
      name: 'fail',
      run: () => ({ ...text('no such page'), isError: true }),
    },
  ],
}

const lines = (...commands: readonly object[]): string =>
  commands.map((command) => JSON.stringify({ module: 'pages', ...command })).join('\n')
const search = { id: 'a', tool_name: 'search', params: { title: 'x' } }

export const metaToolRows: readonly MetaToolRow[] = [
  {
    tool: 'get_module_schema',
    parameter: 'module',
    theirs: 'the tools of a module with their schemas',
    ours: 'the same; a large module by signatures, with `tools` for the schemas of some; without it, all modules',
    async check(use) {
      const { tools } = JSON.parse(await use('get_module_schema', { module: 'pages' }))
      expect(tools[0]).toMatchObject({ name: 'search', inputSchema: title })
      expect(await use('get_module_schema', {})).toMatch(/^pages: 3 tools/)
    },
  },
  {
    tool: 'run',
    parameter: '`module`, `tool`, `params`',
    theirs: '`call` of the source of 23 February 2026',
    ours: 'another name of `call`, which is not listed',
    async check(use) {
      expect(await use('run', { module: 'pages', tool: 'read', params: { id: 'p7' } })).toBe(
        'page p7',
      )
    },
  },
  {
    tool: 'call',
    parameter: 'module',
    theirs: 'name of the module',
    ours: 'the same; the spelling is forgiven',
    async check(use) {
      for (const module of ['pages', 'Pages'])
        expect(await use('call', { module, tool_name: 'read', params: { id: 'p7' } })).toBe(
          'page p7',
        )
    },
  },
  {
    tool: 'call',
    parameter: 'tool_name',
    theirs: 'name of the tool',
    ours: 'the same, or with its module: `pages.read`, `pages__read`, `pages/read`',
    async check(use) {
      for (const tool_name of ['pages.read', 'pages__read', 'pages/read'])
        expect(await use('call', { tool_name, params: { id: 'p7' } })).toBe('page p7')
    },
  },
  {
    tool: 'call',
    parameter: 'params',
    theirs: 'arguments of the tool',
    ours: 'the same, checked before the server is called; the error has the schema',
    async check(use) {
      expect(await use('call', { module: 'pages', tool_name: 'search', params: {} })).toMatch(
        /title is missing\. Nothing was called\. Its schema: /,
      )
    },
  },
  {
    tool: 'batch',
    parameter: 'commands',
    theirs: 'a JSON line for each call: `id`, `module`, `tool_name`, `params`, `after`, `output`',
    ours: 'the same; all faults are said at once, before anything is called; `dry_run` only checks',
    async check(use) {
      const commands = lines({ ...search, output: true })
      expect(await use('batch', { commands })).toContain('p1')
      const dry = await use('batch', { commands, dry_run: true })
      expect(dry).not.toContain('p1')
      expect(await use('batch', { commands: `${commands}\n{"id":` })).toMatch(
        /nothing was called:\nline 2/,
      )
    },
  },
  {
    tool: 'batch',
    parameter: 'after',
    theirs: 'ids of calls that must succeed before',
    ours: 'the same; calls that wait for none run side by side; after a failure the rest is skipped, and said; circles are refused',
    async check(use) {
      const commands = lines(
        { id: 'a', tool_name: 'fail' },
        { id: 'b', tool_name: 'read', params: { id: 'p1' }, after: ['a'], output: true },
      )
      const reply = await use('batch', { commands })
      expect(reply).toMatch(/no such page/)
      expect(reply).toMatch(/skipped/)
      expect(reply).not.toContain('page p1')
      const circle = lines(
        { id: 'a', tool_name: 'read', after: ['b'] },
        { id: 'b', tool_name: 'read', after: ['a'] },
      )
      expect(await use('batch', { commands: circle })).toContain('a → b → a')
    },
  },
  {
    tool: 'batch',
    parameter: 'output',
    theirs: 'only results of calls with it are returned',
    ours: 'the same; failures always are',
    async check(use) {
      const read = { id: 'b', tool_name: 'read', params: { id: 'p2' } }
      const reply = await use('batch', { commands: lines(search, { ...read, output: true }) })
      expect(reply).toContain('page p2')
      expect(reply).not.toContain('p1')
    },
  },
  {
    tool: 'batch',
    parameter: 'a reference',
    theirs: '`${a.results[1].id}` in `params` is a value of an earlier result',
    ours: 'the same; it implies `after`',
    async check(use) {
      const read = {
        id: 'b',
        tool_name: 'read',
        params: { id: '${a.results[1].id}' },
        output: true,
      }
      expect(await use('batch', { commands: lines(search, read) })).toContain('page p2')
    },
  },
]
