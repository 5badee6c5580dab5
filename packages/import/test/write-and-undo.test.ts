import { chmodSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createHome } from '../../server-kit/test/clients/plant.ts'
import { cursorFile, everyone, own, put, run, servers, treeOf } from './import-tree.ts'

test('without --write nothing is written', async () => {
  const home = everyone()
  const before = treeOf(home)
  const { code, out } = await run(home, [])
  expect({ code, tree: treeOf(home) }).toEqual({ code: 0, tree: before })
  expect(out).toContain('Nothing was written')
})

test('undo puts every byte, mode and link back', async () => {
  const home = everyone()
  const before = treeOf(home)
  const cwd = join(home, 'code/shop')
  expect((await run(home, ['--write', '--project'], { cwd })).code).toBe(0)
  const changed = treeOf(home)
  for (const path of [
    '.claude.json',
    '.codex/config.toml',
    'dotfiles/gemini/settings.json',
    'code/shop/.mcp.json',
  ])
    expect(changed[path]).not.toBe(before[path])
  // Modes and links are as they were in the meantime, too.
  expect(changed['.claude.json']).toMatch(/^600 /)
  expect(changed['.gemini/settings.json']).toBe(before['.gemini/settings.json'])
  const undone = await run(home, ['--undo'])
  expect({ code: undone.code, tree: treeOf(home) }).toEqual({ code: 0, tree: before })
  expect((await run(home, ['--undo'])).err).toContain('no import to undo')
})

test('what has secrets is for its owner only', async () => {
  const home = everyone()
  await run(home, ['--write'])
  for (const room of ['.local/state/pith/aggregator-mcp/imports', '.config/pith'])
    for (const path of readdirSync(join(home, room), { recursive: true, encoding: 'utf8' })) {
      const stats = statSync(join(home, room, path))
      expect(stats.mode & 0o077).toBe(0)
    }
})

test('line ends and marks of a file stay what they are', async () => {
  const home = everyone()
  await run(home, ['--write'])
  expect(readFileSync(join(home, cursorFile), 'utf8')).not.toMatch(/(?<!\r)\n/)
  expect(readFileSync(join(home, '.codeium/windsurf/mcp_config.json'), 'utf8')).toMatch(/^\uFEFF/)
})

test('a second import changes nothing', async () => {
  const home = everyone()
  await run(home, ['--write', '--project'], { cwd: join(home, 'code/shop') })
  const before = treeOf(home)
  const { code, out } = await run(home, ['--write', '--project'], { cwd: join(home, 'code/shop') })
  expect({ code, tree: treeOf(home) }).toEqual({ code: 0, tree: before })
  expect(out).toContain('There is nothing to do')
})

test('imports are undone one by one, the last first', async () => {
  const home = createHome()
  put(home, cursorFile, servers('a'))
  const trees = [treeOf(home)]
  await run(home, ['--write'])
  trees.push(treeOf(home))
  put(home, '.kiro/settings/mcp.json', servers('b'))
  trees.push(treeOf(home))
  await run(home, ['--write'])
  await run(home, ['--undo'])
  expect(treeOf(home)).toEqual(trees[2])
  rmSync(join(home, '.kiro'), { recursive: true })
  await run(home, ['--undo'])
  expect(treeOf(home)).toEqual(trees[0])
})

test('a file that was changed since is left, and ours with it, unless by force', async () => {
  const home = createHome()
  put(home, cursorFile, servers('a'))
  put(home, '.kiro/settings/mcp.json', servers('b'))
  const before = treeOf(home)
  await run(home, ['--write'])
  put(home, cursorFile, '{"mine": true}')
  const refused = await run(home, ['--undo'])
  expect(refused.code).toBe(1)
  expect(refused.out).toMatch(/left {6}~\/\.cursor\/mcp\.json: It changed since/)
  expect(refused.out).toMatch(/left {6}~\/\.config\/pith\/aggregator\.json: Kept/)
  expect(treeOf(home)['.kiro/settings/mcp.json']).toBe(before['.kiro/settings/mcp.json'])
  expect(readFileSync(join(home, cursorFile), 'utf8')).toBe('{"mine": true}')
  const forced = await run(home, ['--undo', '--force'])
  expect(forced.code).toBe(0)
  expect(treeOf(home)).toMatchObject(before)
  const [, copy = ''] = /the overwritten version is in ~\/(\S+)/.exec(forced.out) ?? []
  expect(readFileSync(join(home, copy), 'utf8')).toBe('{"mine": true}')
})

test('files that are gone come back, and a mode too', async () => {
  const home = createHome()
  put(home, cursorFile, servers('a'))
  put(home, '.kiro/settings/mcp.json', servers('b'))
  chmodSync(join(home, cursorFile), 0o640)
  const before = treeOf(home)
  await run(home, ['--write'])
  rmSync(join(home, '.cursor'), { recursive: true })
  rmSync(join(home, '.config'), { recursive: true })
  expect((await run(home, ['--undo'])).code).toBe(0)
  expect(treeOf(home)).toEqual(before)
})

test('our own file is edited in place, and undone as well', async () => {
  const home = createHome()
  const text =
    '{\r\n  // mine\r\n  "aggregator": { "trust": { "pin": true } },\r\n  "mcpServers": {\r\n    "a": { "command": "a" }, // first\r\n  },\r\n}\r\n'
  put(home, '.config/pith/aggregator.json', text)
  put(
    home,
    cursorFile,
    JSON.stringify({ mcpServers: { a: { command: 'a', args: [] }, A: { command: 'other' } } }),
  )
  const before = treeOf(home)
  const { out } = await run(home, ['--write'])
  expect(out).toContain('a, already in our file')
  expect(out).toContain('A as A-cursor')
  expect(own(home)).toBe(
    text.replace(
      '"mcpServers": {',
      '"mcpServers": {\r\n    "A-cursor": {\r\n      "command": "other"\r\n    },',
    ),
  )
  await run(home, ['--undo'])
  expect(treeOf(home)).toEqual(before)
})

test('what several clients have is one server; another of the same name gets a suffix', async () => {
  const home = createHome()
  put(
    home,
    cursorFile,
    '{"mcpServers":{"g":{"url":"https://g.example.com","headers":{"A":"${env:T}"}},"x":{"command":"x"}}}',
  )
  put(
    home,
    '.claude.json',
    '{"mcpServers":{"g":{"type":"http","url":"https://g.example.com","headers":{"A":"${T}"}},"x":{"command":"y"}}}',
  )
  const { out } = await run(home, ['--write'])
  expect(Object.keys(JSON.parse(own(home)).mcpServers)).toEqual(['g', 'x', 'x-cursor'])
  expect(out).toContain('g, the same as one above')
  expect(out).toContain('x as x-cursor')
})

test('--copy leaves clients alone', async () => {
  const home = createHome()
  put(home, cursorFile, servers('a'))
  expect((await run(home, ['--write', '--copy'])).code).toBe(0)
  expect(readFileSync(join(home, cursorFile), 'utf8')).toBe(servers('a'))
  expect(JSON.parse(own(home))).toEqual({ mcpServers: { a: { command: 'a' } } })
})
