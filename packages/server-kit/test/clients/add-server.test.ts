import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { temporaryFolder } from '../../../base/test/temporary-folder.ts'
import {
  AddError,
  type AddOptions,
  addServer,
  allClients,
  type HostEnvironment,
  readClient,
} from '../../src/clients/index.ts'
import { describeAddError, describeAdded } from '../../src/clients/run-add.ts'

let home: string
beforeEach(() => {
  home = temporaryFolder(onTestFinished)
})

const launch = { command: '/bin/node', args: ['/pith/main.js', 'https://docs.example.org/'] }
const around = (given: Partial<HostEnvironment> = {}): HostEnvironment => ({
  home,
  cwd: join(home, 'shop'),
  platform: 'linux',
  variables: {},
  ...given,
})
const add = (client: string, given: Partial<AddOptions> = {}) =>
  addServer({ client: readClient(client), name: 'docs', launch, host: around(), ...given })
const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), text, { mode: 0o640 })
}
const read = (path: string): string => readFileSync(join(home, path), 'utf8')
const allFiles = () => readdirSync(home, { recursive: true, encoding: 'utf8' })

const plain = { command: launch.command, args: launch.args }
const stdio = { type: 'stdio', ...plain }
const written: Record<string, [folder: string | undefined, user: string, entry: object]> = {
  'claude-code': ['.mcp.json', '.claude.json', stdio],
  'claude-desktop': [undefined, '.config/Claude/claude_desktop_config.json', plain],
  cursor: ['.cursor/mcp.json', '.cursor/mcp.json', plain],
  vscode: ['.vscode/mcp.json', '.config/Code/User/mcp.json', stdio],
  codex: ['.codex/config.toml', '.codex/config.toml', plain],
  gemini: ['.gemini/settings.json', '.gemini/settings.json', plain],
  opencode: [
    'opencode.json',
    '.config/opencode/opencode.json',
    { type: 'local', command: [launch.command, ...launch.args] },
  ],
  devin: ['.devin/mcp_config.json', '.config/devin/mcp_config.json', plain],
  cline: [undefined, '.cline/data/settings/cline_mcp_settings.json', plain],
  kiro: ['.kiro/settings/mcp.json', '.kiro/settings/mcp.json', plain],
  zed: ['.zed/settings.json', '.config/zed/settings.json', { source: 'custom', ...plain }],
  antigravity: ['.agents/mcp_config.json', '.gemini/config/mcp_config.json', plain],
  copilot: [
    '.github/mcp.json',
    '.copilot/mcp-config.json',
    { type: 'local', ...plain, tools: ['*'] },
  ],
  goose: [
    undefined,
    '.config/goose/config.yaml',
    {
      name: 'docs',
      type: 'stdio',
      enabled: true,
      cmd: launch.command,
      args: launch.args,
      timeout: 300,
    },
  ],
  roo: [
    '.roo/mcp.json',
    '.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json',
    plain,
  ],
  amp: ['.amp/settings.json', '.config/amp/settings.json', plain],
  warp: ['.warp/.mcp.json', '.warp/.mcp.json', plain],
  lmstudio: [undefined, '.lmstudio/mcp.json', plain],
  qwen: ['.qwen/settings.json', '.qwen/settings.json', plain],
  droid: ['.factory/mcp.json', '.factory/mcp.json', stdio],
  crush: ['crush.json', '.config/crush/crush.json', stdio],
}

test.for(allClients)('$name: a new file has the entry and nothing else', async ({ name }) => {
  const [folder, user, entry] = written[name] ?? []
  for (const [scope, path] of [
    ['folder', folder && join('shop', folder)],
    ['user', user],
  ] as const) {
    if (path === undefined) {
      await expect(add(name, { scope })).rejects.toMatchObject({ code: 'no_location' })
      continue
    }
    const added = await add(name, { scope })
    expect(added).toMatchObject({ path: join(home, path), change: 'added' })
    expect(added.backup).toBeUndefined()
    const text = read(path)
    const value = path.endsWith('.toml')
      ? parseToml(text)
      : path.endsWith('.yaml')
        ? parseYaml(text)
        : JSON.parse(text)
    expect(Object.values(value)).toEqual([{ docs: entry }])
    expect(statSync(join(home, path)).mode & 0o777).toBe(0o600)
  }
})

test('a server is entered where a client is mostly told, or for all folders', async () => {
  expect((await add('cursor')).path).toBe(join(home, 'shop/.cursor/mcp.json'))
  expect((await add('codex')).path).toBe(join(home, '.codex/config.toml'))
  expect((await add('cursor', { scope: 'user' })).path).toBe(join(home, '.cursor/mcp.json'))
})

test('what is in the file stays, comments too, and a copy is kept', async () => {
  const content = '{\n  // mine\n  "servers": { "other": {   "command": "x" } },\n}\n'
  put('shop/.vscode/mcp.json', content)
  const added = await add('vscode')
  const after = read('shop/.vscode/mcp.json')
  expect(after).toContain('// mine')
  expect(after).toContain('"other": {   "command": "x" }')
  expect(after).toContain('"docs"')
  expect(readFileSync(added.backup ?? '', 'utf8')).toBe(content)
  expect(describeAdded(added)).toContain(`The previous file is ${added.backup}.\nRestart VS Code`)
})

test.for(['codex', 'gemini'] as const)(
  '%s: a server is not entered twice, another of its name not replaced unasked',
  async (client) => {
    await add(client)
    const again = await add(client)
    expect(again.change).toBe('there')
    expect(describeAdded(again)).toContain('already has the server docs')
    const other = { launch: { command: 'other', args: [] } }
    const error = await add(client, other).catch((error: AddError) => error)
    expect(error).toMatchObject({ code: 'name_taken' })
    expect(error instanceof AddError && describeAddError(error)).toContain(
      'Pass another --name, or --force to replace it.',
    )
    await add(client, { ...other, name: 'docs2' })
    const { path, change, text } = await add(client, { ...other, force: true })
    expect(change).toBe('replaced')
    expect(readFileSync(path, 'utf8')).toBe(text)
    const value = client === 'codex' ? parseToml(text) : JSON.parse(text)
    const servers = Object.values(value)[0] as Record<string, object>
    expect(Object.keys(servers).sort()).toEqual(['docs', 'docs2'])
    expect(servers['docs']).toEqual(other.launch)
  },
)

test('printed, nothing is written', async () => {
  const added = await add('cursor', { print: true })
  expect(describeAdded(added)).toMatch(/^\/.*mcp\.json\n\n\{\n {2}"mcpServers"/)
  expect(allFiles()).toEqual([])
})

test('a file keeps its rights, its place behind a link, and its mark of byte order', async () => {
  put('dotfiles/mcp.json', '\uFEFF{ "mcpServers": {} }')
  mkdirSync(join(home, 'shop/.cursor'), { recursive: true })
  symlinkSync('../../dotfiles/mcp.json', join(home, 'shop/.cursor/mcp.json'))
  expect((await add('cursor')).path).toBe(join(home, 'dotfiles/mcp.json'))
  expect(lstatSync(join(home, 'shop/.cursor/mcp.json')).isSymbolicLink()).toBe(true)
  expect(statSync(join(home, 'dotfiles/mcp.json')).mode & 0o777).toBe(0o640)
  expect(read('dotfiles/mcp.json').startsWith('\uFEFF{')).toBe(true)
})

test.for([
  ['codex', '.codex/config.toml', 'mcp_servers = 3\n', 'mcp_servers is not an object'],
  ['codex', '.codex/config.toml', 'a = ', 'it is not valid TOML'],
  ['cursor', 'shop/.cursor/mcp.json', '{ "mcpServers": null }', 'mcpServers is not an object'],
  ['cursor', 'shop/.cursor/mcp.json', '{ "mcpServers": [] }', 'mcpServers is not an object'],
  [
    'cursor',
    'shop/.cursor/mcp.json',
    '{ "mcpServers": ',
    'it is not valid JSON: value expected in line 1',
  ],
  ['opencode', 'shop/opencode.json', '{ "mcp": 1 }', 'mcp is not an object'],
  ['goose', '.config/goose/config.yaml', 'a: [', 'it is not valid YAML: see line 1'],
  ['goose', '.config/goose/config.yaml', 'a: 1\n---\nb: 2\n', 'it has several documents'],
  ['goose', '.config/goose/config.yaml', 'extensions: [a]\n', 'extensions is not an object'],
  [
    'goose',
    '.config/goose/config.yaml',
    'x: &x\n  a: {cmd: b}\nextensions: *x\n',
    'Add this to it:\n\nextensions:\n  docs:\n    name: "docs"\n',
  ],
] as const)('%s: %s with %j is left as it is', async ([client, path, content, message]) => {
  put(path, content)
  await expect(add(client)).rejects.toMatchObject({
    code: 'file_refused',
    message: expect.stringContaining(message),
  })
  expect(read(path)).toBe(content)
  expect(allFiles().filter((name) => /\.bak$|\.pith$/.test(name))).toEqual([])
})

test('a table in one line is added to as well', async () => {
  put('.codex/config.toml', 'mcp_servers = { a = { command = "x" } } # mine\n')
  await add('codex')
  const text = read('.codex/config.toml')
  expect(text).toContain('# mine')
  expect(parseToml(text)).toEqual({ mcp_servers: { a: { command: 'x' }, docs: plain } })
})

test('a link to nothing is not replaced', async () => {
  mkdirSync(join(home, 'shop'))
  symlinkSync('nowhere', join(home, 'shop/.mcp.json'))
  await expect(add('claude-code')).rejects.toThrow('is a link to a missing file')
})

test('the file that is there is taken, with what stands in it', async () => {
  put('shop/opencode.jsonc', '{ "mcp": {} }')
  expect((await add('opencode')).path).toBe(join(home, 'shop/opencode.jsonc'))
  put('shop/opencode.jsonc', '{ "mcp": { "servers": { "a": {} } } }')
  const { text } = await add('opencode')
  expect(Object.keys(JSON.parse(text).mcp.servers).sort()).toEqual(['a', 'docs'])
  const packaged = 'AppData/Local/Packages/Claude_x/LocalCache/Roaming/Claude'
  put(`${packaged}/claude_desktop_config.json`, '{}')
  const desktop = await add('claude-desktop', { host: around({ platform: 'win32' }) })
  expect(desktop.path).toBe(join(home, packaged, 'claude_desktop_config.json'))
})

test('the file of a former version is taken where it is the only one', async () => {
  for (const [client, before, after] of [
    ['windsurf', '.codeium/windsurf/mcp_config.json', '.config/devin/mcp_config.json'],
    ['antigravity', '.gemini/antigravity/mcp_config.json', '.gemini/config/mcp_config.json'],
  ] as const) {
    expect((await add(client, { scope: 'user', print: true })).path).toBe(join(home, after))
    put(before, '{}')
    expect((await add(client, { scope: 'user' })).path).toBe(join(home, before))
  }
  put('.gemini/config/mcp_config.json', '{}')
  expect((await add('antigravity', { scope: 'user' })).path).toContain('.gemini/config/')
})

test('names are checked', async () => {
  await expect(add('cursor', { name: 'a b' })).rejects.toMatchObject({ code: 'bad_name' })
  expect(() => readClient('emacs')).toThrow('There is no client "emacs". Clients: claude-code,')
  expect(() => readClient(undefined)).toThrow('Name a client: claude-code,')
  expect(readClient('zed').title).toBe('Zed')
})
