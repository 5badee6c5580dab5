import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { addClient, clientNames } from '../src/cli/add-client.ts'

let folder: string
const before = process.cwd()
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'add-test-'))
  process.chdir(folder)
  vi.stubEnv('HOME', folder)
  vi.stubEnv('USERPROFILE', folder)
  vi.stubEnv('APPDATA', folder)
})
afterEach(() => {
  process.chdir(before)
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

const write = { print: false }
const allFiles = () => readdirSync('.', { recursive: true, encoding: 'utf8' })

test.each(clientNames)('%s: a new file names this program and the sources', async (client) => {
  const text = await addClient(client, ['https://docs.example.org/', 'folder'], write)
  const path = text.split(': added')[0] ?? ''
  const content = readFileSync(path, 'utf8')
  const value = path.endsWith('.toml') ? parseToml(content) : JSON.parse(content)
  const servers = Object.values(value)[0] as Record<string, { command: string; args: string[] }>
  expect(servers['docs']?.command).toBe(process.execPath)
  expect(servers['docs']?.args.slice(1)).toEqual([
    'https://docs.example.org/',
    join(process.cwd(), 'folder'),
  ])
})

test('what is in the file stays, comments too, and a copy is kept', async () => {
  const content = '{\n  // mine\n  "servers": { "other": { "command": "x" } },\n}\n'
  await mkdir('.vscode')
  writeFileSync('.vscode/mcp.json', content)
  await addClient('vscode', ['https://docs.example.org/'], write)
  const after = readFileSync('.vscode/mcp.json', 'utf8')
  expect(after).toContain('// mine')
  expect(after).toMatch(/"other": \{\s*"command": "x"\s*\}/)
  expect(after).toContain('"docs"')
  const copy = allFiles().find((name) => name.endsWith('.bak')) ?? ''
  expect(readFileSync(copy, 'utf8')).toBe(content)
})

test('in TOML too; the same server is not entered twice, another of its name not replaced', async () => {
  await mkdir('.codex')
  const content = '# mine\nmodel = "x"\n\n[mcp_servers.other]\ncommand = "y"\n'
  writeFileSync('.codex/config.toml', content)
  await addClient('codex', ['https://docs.example.org/'], write)
  const after = readFileSync('.codex/config.toml', 'utf8')
  expect(after.startsWith(content)).toBe(true)
  expect(await addClient('codex', ['https://docs.example.org/'], write)).toContain('already')
  await expect(addClient('codex', ['https://other.example/'], write)).rejects.toThrow(/--name/)
  await addClient('codex', ['https://other.example/'], { ...write, name: 'docs2' })
  expect(
    Object.keys(parseToml(readFileSync('.codex/config.toml', 'utf8'))['mcp_servers'] as object),
  ).toEqual(['other', 'docs', 'docs2'])
})

test('with --print nothing is written', async () => {
  expect(await addClient('cursor', [], { print: true })).toContain('mcpServers')
  expect(allFiles()).toEqual([])
})

test('a file that is broken is left as it is; an unknown client is an error', async () => {
  writeFileSync('.mcp.json', '{ "mcpServers": ')
  await expect(addClient('claude-code', [], write)).rejects.toThrow(/not a JSON object/)
  expect(readFileSync('.mcp.json', 'utf8')).toBe('{ "mcpServers": ')
  await expect(addClient('emacs', [], write)).rejects.toThrow(/claude-code/)
  await expect(addClient('cursor', [], { ...write, name: 'a b' })).rejects.toThrow(/--name/)
})

test('a file keeps its rights, its place behind a link, and its mark of byte order', async () => {
  await mkdir('dotfiles')
  await mkdir('.cursor')
  writeFileSync('dotfiles/mcp.json', '\uFEFF{ "mcpServers": {} }', { mode: 0o600 })
  symlinkSync('../dotfiles/mcp.json', '.cursor/mcp.json')
  await addClient('cursor', [], { ...write, flags: ['--offline', '--timeout', '5'] })
  expect(lstatSync('.cursor/mcp.json').isSymbolicLink()).toBe(true)
  expect(statSync('dotfiles/mcp.json').mode & 0o777).toBe(0o600)
  const after = readFileSync('dotfiles/mcp.json', 'utf8')
  expect(after.startsWith('\uFEFF{')).toBe(true)
  expect(after).toMatch(/"--offline",\s*"--timeout",\s*"5"/)
})

test.each([
  ['codex', '.codex/config.toml', 'mcp_servers = { a = { command = "x" } }\n', /by hand/],
  ['codex', '.codex/config.toml', 'mcp_servers = 3\n', /by hand/],
  ['cursor', '.cursor/mcp.json', '{ "mcpServers": null }', /not an object/],
  ['cursor', '.cursor/mcp.json', '{ "mcpServers": [] }', /not an object/],
])('%s: %s with %j is left as it is', async (client, path, content, message) => {
  await mkdir(path.split('/')[0] ?? '')
  writeFileSync(path, content)
  await expect(addClient(client, [], write)).rejects.toThrow(message)
  expect(readFileSync(path, 'utf8')).toBe(content)
})
