import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '@pith-mcp/aggregator'
import { allClients } from '@pith-mcp/server-kit/clients'
import type { Table } from '@pith-mcp/server-kit/files'
import { expect, test } from 'vitest'
import { createHome, fixtureNames, plant } from '../../server-kit/test/clients/plant.ts'
import type { HostEnvironment } from '../src/entry/host-environment.ts'
import { findConfigFiles } from '../src/find/find-config-files.ts'
import { planImport } from '../src/plan/plan-import.ts'
import { own, put, run, surroundings, treeOf } from './import-tree.ts'

/** What is planned for each place, by its file and way, with names as given there or made valid. */
async function planned(name: string, around: HostEnvironment) {
  const client = allClients.find((one) => one.name === name)
  const findings = await findConfigFiles(client ? [client] : [], around)
  const file = join(around.home, 'own.json')
  const plan = await planImport(
    findings,
    { named: file, path: file, before: undefined },
    { name: 'pith', copy: false, project: true },
    around,
  )
  expect(plan.refused).toEqual([])
  return plan.locations.map(({ file: { location: place }, servers, staying }) => ({
    file: place.file,
    at: place.at,
    servers: Object.fromEntries(servers.map(({ from, entry }) => [from, entry])),
    staying: staying.map(({ name }) => name),
  }))
}

const namedAsInClient = (servers: Record<string, Table>, renamed: Record<string, string> = {}) =>
  Object.fromEntries(
    Object.entries(servers).map(([name, entry]) => [
      Object.keys(renamed).find((from) => renamed[from] === name) ?? name,
      entry,
    ]),
  )

test('there is a fixture for each client', () => {
  expect(fixtureNames.sort()).toEqual(allClients.map(({ name }) => name).sort())
})

test.for(fixtureNames)(
  '%s: every server becomes what it means, or stays with a reason',
  async (name) => {
    const { home, expected } = plant(name)
    const { files, others = [] } = expected
    const [first] = files
    for (const { path, at, dir, servers, renamed, notMoved } of [
      { ...first, ...expected },
      ...others,
    ]) {
      // The folder of another home, as it stands in the file, is taken for the one we are in.
      const places = await planned(name, surroundings(home, { cwd: dir ?? home }))
      const place = places.find(
        (one) => one.file === join(home, path ?? '') && `${one.at}` === `${at}`,
      )
      expect(place?.servers).toEqual(namedAsInClient(servers, renamed))
      expect(place?.staying.sort()).toEqual(Object.keys(notMoved).sort())
    }
  },
)

test.for(fixtureNames)('%s: what is written is read by us, and the rest stays', async (name) => {
  const { home, expected } = plant(name)
  const { untouched = [], mustSurvive = [], files, servers } = expected
  const before = untouched.map((path) => readFileSync(join(home, path), 'utf8'))
  const { code, err } = await run(home, ['--client', name, '--write'])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const config = await readConfig(own(home), {})
  const names = [...config.servers.map((server) => server.name), ...config.disabled]
  expect(names).toEqual(expect.arrayContaining(Object.keys(servers)))
  expect(untouched.map((path) => readFileSync(join(home, path), 'utf8'))).toEqual(before)
  const [file] = files
  const text = readFileSync(join(home, file?.path ?? ''), 'utf8')
  for (const part of mustSurvive) expect(text).toContain(part)
  expect(text).toContain('@pith-mcp/aggregator-mcp')
  expect(text).toContain(join(home, '.config/pith/aggregator.json'))
})

const wholeFile = '{ "mcpServers": { "a": { "command": "x" } } }'
const paths: [HostEnvironment['platform'], string, string][] = [
  ['darwin', 'claude-desktop', 'Library/Application Support/Claude/claude_desktop_config.json'],
  ['darwin', 'vscode', 'Library/Application Support/Code/User/mcp.json'],
  ['darwin', 'vscode', 'Library/Application Support/Code - Insiders/User/profiles/1/mcp.json'],
  ['darwin', 'zed', '.config/zed/settings.json'],
  ['win32', 'claude-desktop', 'AppData/Roaming/Claude/claude_desktop_config.json'],
  [
    'win32',
    'claude-desktop',
    'AppData/Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude/claude_desktop_config.json',
  ],
  ['win32', 'vscode', 'AppData/Roaming/Code/User/mcp.json'],
  ['win32', 'windsurf', 'AppData/Roaming/devin/mcp_config.json'],
  ['win32', 'windsurf', '.codeium/windsurf/mcp_config.json'],
  ['win32', 'zed', 'AppData/Roaming/Zed/settings.json'],
  ['win32', 'cursor', '.cursor/mcp.json'],
  ['win32', 'gemini', '.gemini/settings.json'],
]
const keys: Record<string, string> = { vscode: 'servers', zed: 'context_servers' }

test.for(paths)('%s: %s is found in %s', async ([platform, client, path]) => {
  const home = createHome()
  put(home, path, wholeFile.replace('mcpServers', keys[client] ?? 'mcpServers'))
  const { code } = await run(home, ['--write', '--client', client], { platform })
  expect(code).toBe(0)
  expect(Object.keys(JSON.parse(own(home)).mcpServers)).toEqual(['a'])
  const args = platform === 'win32' ? '/c' : '-y'
  expect(readFileSync(join(home, path), 'utf8')).toMatch(new RegExp(`"args": ?\\[\\s*"${args}"`))
})

test('a packaged Claude Desktop reads its own file only', async () => {
  const home = createHome()
  put(home, 'AppData/Roaming/Claude/claude_desktop_config.json', wholeFile)
  const packaged =
    'AppData/Local/Packages/Claude_x/LocalCache/Roaming/Claude/claude_desktop_config.json'
  put(home, packaged, wholeFile.replace('"a"', '"b"'))
  await run(home, ['--write'], { platform: 'win32' })
  expect(Object.keys(JSON.parse(own(home)).mcpServers)).toEqual(['b'])
})

test('variables say where a client keeps its files', async () => {
  const home = createHome()
  put(home, 'c/.claude.json', wholeFile.replace('"a"', '"code"'))
  put(home, 'x/config.toml', '[mcp_servers.codex]\ncommand = "x"\n')
  put(home, 'g/.gemini/settings.json', wholeFile.replace('"a"', '"gemini"'))
  put(
    home,
    'xdg/Code/User/mcp.json',
    wholeFile.replace('mcpServers', 'servers').replace('"a"', '"code2"'),
  )
  const at = (name: string): string => join(home, name)
  const variables = {
    CLAUDE_CONFIG_DIR: at('c'),
    CODEX_HOME: at('x'),
    GEMINI_CLI_HOME: at('g'),
    XDG_CONFIG_HOME: at('xdg'),
  }
  await run(home, ['--write'], { variables })
  const text = readFileSync(join(home, 'xdg/pith/aggregator.json'), 'utf8')
  expect(Object.keys(JSON.parse(text).mcpServers).sort()).toEqual([
    'code',
    'code2',
    'codex',
    'gemini',
  ])
})

test('what belongs to a folder is left to it, unless it is asked for', async () => {
  const { home } = plant('claude-code')
  const cwd = join(home, 'code/shop')
  const path = join(home, '.claude.json')
  put(home, '.claude.json', readFileSync(path, 'utf8').replaceAll('/home/ada', home))
  const left = await run(home, ['--write', '--copy'], { cwd })
  expect(left.out).toMatch(
    /Include them with --project:\n.*shop-db, relative\n.*issues, noisy, docs, here/,
  )
  const project = readFileSync(join(cwd, '.mcp.json'), 'utf8')
  expect((await run(home, ['--write'], { cwd })).code).toBe(0)
  expect(readFileSync(join(cwd, '.mcp.json'), 'utf8')).toBe(project)
  expect((await run(home, ['--write', '--project'], { cwd })).code).toBe(0)
  // Our entry is there for all folders already.
  expect(JSON.parse(readFileSync(join(cwd, '.mcp.json'), 'utf8'))).toEqual({ mcpServers: {} })
  const { mcpServers } = JSON.parse(own(home))
  expect(mcpServers).toMatchObject({
    noisy: { disabled: true },
    issues: { cwd },
    relative: { cwd },
  })
})

test('clients that pass few variables on are told which, and none is written twice', async () => {
  const home = createHome()
  put(
    home,
    '.codex/config.toml',
    '[mcp_servers.a]\nurl = "https://a.example.com"\nbearer_token_env_var = "A_TOKEN"\ntool_timeout_sec = 900\n',
  )
  put(
    home,
    '.gemini/settings.json',
    '{"mcpServers":{"b":{"command":"b","env":{"B":"$B_KEY","L":"$$"}}}}',
  )
  await run(home, ['--write'])
  const codex = readFileSync(join(home, '.codex/config.toml'), 'utf8')
  expect(codex).toContain('env_vars = ["A_TOKEN", "B_KEY"]')
  expect(codex).toContain('tool_timeout_sec = 900')
  const gemini = JSON.parse(readFileSync(join(home, '.gemini/settings.json'), 'utf8'))
  expect(gemini.mcpServers.pith.env).toEqual({ A_TOKEN: '$A_TOKEN', B_KEY: '$B_KEY' })
  // One that comes later is handed on by those that are there.
  put(home, '.cursor/mcp.json', '{"mcpServers":{"c":{"command":"c","env":{"C":"${env:C_KEY}"}}}}')
  await run(home, ['--write'])
  expect(readFileSync(join(home, '.codex/config.toml'), 'utf8')).toContain('"B_KEY", "C_KEY"]')
  const before = treeOf(home)
  await run(home, ['--write'])
  expect(treeOf(home)).toEqual(before)
})
