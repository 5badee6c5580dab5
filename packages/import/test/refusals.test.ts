import { mkdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createHome, plant } from '../../server-kit/test/clients/plant.ts'
import { applyImport } from '../src/apply/apply-import.ts'
import {
  cursorFile,
  everyone,
  own,
  put,
  run,
  servers,
  surroundings,
  treeOf,
} from './import-tree.ts'

test('broken files are named and stay byte for byte; the others are done', async () => {
  const { home, expected } = plant('refused')
  put(home, '.kiro/settings/mcp.json', servers('k'))
  const before = treeOf(home)
  const { code, out } = await run(home, ['--write'])
  const after = treeOf(home)
  expect(code).toBe(1)
  for (const { path } of expected.files) {
    expect(after[path]).toBe(before[path])
    expect(out).toContain(`~/${path}`)
  }
  expect(Object.keys(JSON.parse(own(home)).mcpServers)).toEqual(['k'])
})

test.for([
  ['{ "mcpServers": [] }', 'mcpServers is not an object'],
  ['{', 'it is not valid JSON: close brace expected in line 1'],
  ['{ "mcpServers": { "a": {} } }', 'mcpServers.a must have a command or a url'],
] as const)('with a file of ours that is %s nothing is done', async ([text, why]) => {
  const home = createHome()
  put(home, cursorFile, servers('a'))
  put(home, '.config/pith/aggregator.json', text)
  const before = treeOf(home)
  const { code, err } = await run(home, ['--write'])
  expect({ code, tree: treeOf(home) }).toEqual({ code: 1, tree: before })
  expect(err).toContain(why)
})

test('when one file cannot be written, none is', async () => {
  const home = everyone()
  // Its real name is so long that no temporary file can be created next to it.
  const named = join(home, '.config/zed/settings.json')
  const real = join(home, '.config/zed', `${'long'.repeat(62)}.json`)
  renameSync(named, real)
  symlinkSync(real, named)
  const before = treeOf(home)
  const { code, err } = await run(home, ['--write'])
  expect({ code, tree: treeOf(home) }).toEqual({ code: 1, tree: before })
  expect(err).toMatch(/\.json: It could not be written \(ENAMETOOLONG\)\. All files are unchanged/)
})

test('a file that changes while this runs is not written over', async () => {
  const home = createHome()
  put(home, 'a.json', 'one')
  put(home, 'b.json', 'two, changed')
  const before = treeOf(home)
  const edits = [
    { path: join(home, 'new/c.json'), before: undefined, after: 'x' },
    { path: join(home, 'a.json'), before: 'one', after: 'x' },
    { path: join(home, 'b.json'), before: 'two', after: 'x' },
  ]
  await expect(applyImport(edits, join(home, 'new/c.json'), surroundings(home))).rejects.toThrow(
    'b.json: It changed during the import.',
  )
  expect(treeOf(home)).toEqual(before)
})

test('two names of one file are one place; a link to nothing is not replaced', async () => {
  const home = createHome()
  put(home, 'all.json', servers('a'))
  mkdirSync(join(home, '.cursor'))
  mkdirSync(join(home, '.kiro/settings'), { recursive: true })
  symlinkSync('../all.json', join(home, cursorFile))
  symlinkSync('../../all.json', join(home, '.kiro/settings/mcp.json'))
  expect((await run(home, ['--write'])).code).toBe(0)
  expect(Object.keys(JSON.parse(readFileSync(join(home, 'all.json'), 'utf8')).mcpServers)).toEqual([
    'pith',
  ])
  await run(home, ['--undo'])
  symlinkSync('nowhere.json', join(home, 'own.json'))
  const { code, err } = await run(home, ['--write', '--config', 'own.json'])
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining('a symbolic link to a file that does not exist'),
  })
})

test('an entry of ours keeps what its owner wrote in it; one for another file is not taken over', async () => {
  const home = createHome()
  const entry = {
    command: 'npx',
    args: ['@pith-mcp/aggregator-mcp@1', '--mode', 'list'],
    env: { A: 'b' },
  }
  put(home, cursorFile, JSON.stringify({ mcpServers: { many: entry, a: { command: 'a' } } }))
  const other = { command: 'aggregator-mcp', args: ['-c', '/other.json'] }
  put(
    home,
    '.kiro/settings/mcp.json',
    JSON.stringify({ mcpServers: { pith: other, b: { command: 'b' } } }),
  )
  const { code, out } = await run(home, ['--write'])
  expect(code).toBe(1)
  expect(out).toContain('--config /other.json')
  const config = join(home, '.config/pith/aggregator.json')
  expect(JSON.parse(readFileSync(join(home, cursorFile), 'utf8'))).toEqual({
    mcpServers: { many: { ...entry, args: [...entry.args, '--config', config] } },
  })
})

test('a name that is taken by a server that stays is not used', async () => {
  const home = createHome()
  put(home, cursorFile, '{"mcpServers":{"pith":{},"a":{"command":"a"}}}')
  expect((await run(home, ['--write'])).out).toContain(
    'Choose another name for our entry with --name',
  )
  expect((await run(home, ['--write', '--name', 'all'])).code).toBe(0)
  expect(Object.keys(JSON.parse(readFileSync(join(home, cursorFile), 'utf8')).mcpServers)).toEqual([
    'all',
    'pith',
  ])
})

test.for([
  ['--nope'],
  ['more'],
  ['--client', 'emacs'],
  ['--force'],
  ['--undo', '--write'],
  ['--undo', '--client', 'zed'],
  ['--name', '!'],
])('%j is wrong usage', async (argv) => {
  const home = createHome()
  const { code, out, err } = await run(home, argv)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain('import --help')
})

test('what is secret is never said', async () => {
  const home = everyone()
  plant('refused', home)
  put(
    home,
    '.mcp.json',
    '{"mcpServers":{"a":{"command":"curl --token fake1","args":["--api-key=fake2","fake3"]}}}',
  )
  put(
    home,
    '.cursor/mcp.json',
    '{"mcpServers":{"u":{"url":"https://me:fake@u.example.com/fake?k=fake","env":{"A":"fake"}},"v":{"url":"fake://x fake"},"w":{"url":"no address fake"},"n":{"command":"npx","args":["fake=1"]},"d":{"command":"x","env":{"A":"${env:A}${workspaceFolder:fake}"}},"\\u001b[2Jz":{"command":"z"}}}',
  )
  put(
    home,
    '.claude.json',
    '{"mcpServers":{"d":{"command":"x","args":["${A:-fake${B}}"]},"e":{"command":"x","args":["${CLAUDE_PROJECT_DIR:-fake}"]}}}',
  )
  const said: string[] = []
  for (const argv of [[], ['--project'], ['--write', '--project'], ['--write'], ['--undo']])
    for (const text of Object.values(await run(home, argv))) said.push(String(text))
  // A server's name, a program's name and a folder's may be said.
  const lines = said.join('\n').split('\n')
  expect(lines.filter((line) => /fake|BSA-|ghp_|(?!\n)\p{Cc}/u.test(line))).toEqual([])
})
