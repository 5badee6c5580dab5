import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../base/test/temporary-folder.ts'
import { allClients, clientNames, readClient, runAdd, runRemove } from '../../src/clients/index.ts'

let home: string
beforeEach(() => {
  home = temporaryFolder(onTestFinished)
  mkdirSync(join(home, 'shop'))
})

const guide = { name: 'read-docs', description: 'When to read.', text: '# Read\n\nBy the section.' }
const main = '/pith/main.js'
const launch = { command: '/bin/node', args: [main] }
const optionsOf = (client: string, isForUser = false) => ({
  client,
  name: 'docs',
  guide,
  isForUser,
  host: { home, cwd: join(home, 'shop'), platform: 'linux' as const, variables: {} },
})
const add = (
  client: string,
  forms = { skill: false, rules: false },
  isForUser = false,
  force = false,
) => runAdd({ ...optionsOf(client, isForUser), ...forms, force }, () => launch)
const remove = (client: string, isForUser = false, force = false) =>
  runRemove({ ...optionsOf(client, isForUser), force, main, packageName: '@pith-mcp/docs-mcp' })

const both = { skill: true, rules: true }
/** Every file below the home folder, with its bytes and its mode. */
function snapshot(): Record<string, string> {
  const names = readdirSync(home, { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => statSync(join(home, name)).isFile())
  return Object.fromEntries(
    files.map((name) => {
      const path = join(home, name)
      return [name, `${statSync(path).mode.toString(8)} ${readFileSync(path, 'utf8')}`]
    }),
  )
}
const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), text, { mode: 0o640 })
}

test.each(clientNames)('%s: nothing is left of a file that add created', async (client) => {
  const before = snapshot()
  const isForUser = allClients.find(({ name }) => name === client)?.scope === 'user'
  await add(client, undefined, isForUser)
  expect(snapshot()).not.toEqual(before)
  expect(await remove(client, isForUser)).toContain('the file is as it was before')
  expect(snapshot()).toEqual(before)
})

const existing = {
  cursor: ['shop/.cursor/mcp.json', '// mine\n{ "mcpServers": {"a": {"command": "x"},}, "b": 1 }'],
  codex: ['.codex/config.toml', '# mine\nmodel = "x" # fast\r\n'],
  warp: ['.warp/.mcp.json', '{"mcpServers":{"a":{"command":"x"}}}'],
  goose: ['.config/goose/config.yaml', 'extensions:\r\n  a: {cmd: x} # mine\r\nb: 1'],
  amp: ['.config/amp/settings.json', '\uFEFF{\n\t"amp.mcpServers": {},\n}'],
  crush: ['.config/crush/crush.json', '{\r\n\t"mcp": { "a": { "command": "x" } }\r\n}'],
} as const

test.each(Object.entries(existing))(
  '%s: a file that existed is what it was, byte for byte, with skill and rules',
  async (client, [path, text]) => {
    put(path, text)
    put('shop/AGENTS.md', 'Use tabs.')
    put('.codex/AGENTS.md', 'Use tabs.\n')
    const before = snapshot()
    const { scope, rulesIn } = readClient(client)
    const forms = { skill: true, rules: rulesIn?.[scope === 'folder' ? 0 : 1] !== undefined }
    expect(await add(client, forms)).toContain('SKILL.md: written.')
    const added = snapshot()
    expect(Object.values(added).join()).toContain(
      `${forms.rules ? '<!-- pith:read-docs -->' : '---\n'}\n# Read\n\nBy the section.`,
    )
    await remove(client)
    expect(snapshot()).toEqual(before)
  },
)

test('what was changed after add stays', async () => {
  put('shop/AGENTS.md', 'Use tabs.\n')
  await add('cursor', both)
  const path = 'shop/.cursor/mcp.json'
  const text = readFileSync(join(home, path), 'utf8')
  put(path, text.replace('"docs"', '"other": {"command": "y"},\n    "docs"'))
  put('shop/AGENTS.md', `${readFileSync(join(home, 'shop/AGENTS.md'), 'utf8')}Mine.\n`)
  put('shop/.cursor/skills/read-docs/SKILL.md', 'mine')
  const said = await remove('cursor')
  expect(said).toContain('SKILL.md was changed; it was not removed.')
  expect(said).not.toContain('the file is as it was before')
  expect(JSON.parse(readFileSync(join(home, path), 'utf8'))).toEqual({
    mcpServers: { other: { command: 'y' } },
  })
  expect(readFileSync(join(home, 'shop/AGENTS.md'), 'utf8')).toBe('Use tabs.\nMine.\n')
})

test('a second add changes nothing; a newer text replaces the block', async () => {
  await add('codex', both)
  const before = snapshot()
  expect(await add('codex', both)).toContain('is as it should be')
  expect(snapshot()).toEqual(before)
  const newer = { ...optionsOf('codex'), guide: { ...guide, text: 'Newer.' } }
  await expect(runAdd({ ...newer, ...both }, () => launch)).rejects.toThrow('has another text')
  await runAdd({ ...newer, ...both, force: true }, () => launch)
  expect(readFileSync(join(home, '.codex/AGENTS.md'), 'utf8')).toBe(
    '<!-- pith:read-docs -->\nNewer.\n<!-- /pith:read-docs -->\n',
  )
})

test('another server of the name is not removed without --force', async () => {
  put('shop/.cursor/mcp.json', '{"mcpServers": {"docs": {"command": "theirs"}}}')
  await expect(remove('cursor')).rejects.toThrow('docs in')
  expect(await remove('cursor', false, true)).toContain('removed docs')
})

test('Claude Code still reads the AGENTS.md of a project, and a later one', async () => {
  const block = '<!-- pith:read-docs -->\n# Read\n\nBy the section.\n<!-- /pith:read-docs -->\n'
  const rules = { skill: false, rules: true }
  const read = (name: string) => readFileSync(join(home, 'shop', name), 'utf8')
  const before = snapshot()
  await add('claude-code', rules)
  expect(read('CLAUDE.md')).toBe(`@AGENTS.md\n\n${block}`)
  await add('claude-code', rules)
  expect(read('CLAUDE.md')).toBe(`@AGENTS.md\n\n${block}`)
  await remove('claude-code')
  expect(snapshot()).toEqual(before)
  put('AGENTS.md', 'Use tabs.\n')
  const outer = snapshot()
  // A CLAUDE.md here would hide the one above.
  await add('claude-code', rules)
  expect(read('AGENTS.md')).toBe(block)
  await remove('claude-code')
  expect(snapshot()).toEqual(outer)
  put('shop/AGENTS.md', 'Use spaces.\n')
  await add('claude-code', rules)
  expect(read('AGENTS.md')).toBe(`Use spaces.\n\n\n${block}`)
  expect(Object.keys(snapshot()).filter((name) => name.includes('CLAUDE'))).toEqual([])
  await remove('claude-code')
  put('shop/CLAUDE.local.md', 'Mine.\n')
  await add('claude-code', rules)
  expect(read('CLAUDE.md')).toContain(block)
  expect(read('AGENTS.md')).toBe('Use spaces.\n')
})

test('a client without the server, or without a place, says so', async () => {
  await expect(remove('cursor')).rejects.toThrow('has no server named docs')
  await expect(add('kiro', both, true)).rejects.toThrow('Kiro has no place for skills here.')
  expect(snapshot()).toEqual({})
})

test('a file that cannot be read is no wrong usage, a name that is taken is', async () => {
  put('.cursor/mcp.json', '{"mcpServers": {')
  await expect(add('cursor', undefined, true)).rejects.toMatchObject({ name: 'AddError' })
  put('.cursor/mcp.json', '{"mcpServers": {"docs": {"command": "x"}}}')
  await expect(add('cursor', undefined, true)).rejects.toMatchObject({ name: 'UsageError' })
})
