import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  addServer,
  allClients,
  type Client,
  type ConfigLocation,
  clientNames,
  EntryRefused,
  type HostEnvironment,
  isInstalled,
  matchingLocations,
  type Scope,
  translateEntry,
} from '../../src/clients/index.ts'
import { isTable, readConfigText, readText, type Table, valueAt } from '../../src/files/index.ts'
import { createHome, fixtureNames, fixtures, plant } from './plant.ts'

const launch = { command: '/bin/node', args: ['-y', 'a b', '"c"', "d'", 'é\t', '--url=https://x/'] }
const linux = (home: string, cwd: string = home): HostEnvironment => ({
  home,
  cwd,
  platform: 'linux',
  variables: {},
})

test('there is a fixture for each client', () => {
  expect([...fixtureNames].sort()).toEqual([...clientNames].sort())
})

test('the manual names each client', () => {
  const manual = new URL('../../../../docs/connect-a-client.md', import.meta.url)
  const [, names = ''] = /^The client is one of (.*)\.$/m.exec(readFileSync(manual, 'utf8')) ?? []
  expect(names.match(/(?<=`)[a-z-]+(?=`(?: \(|,| and|$))/g)?.sort()).toEqual(
    [...clientNames].sort(),
  )
})

describe.for(allClients)('$name', (client) => {
  test('has the files of each platform that its fixture lists', async () => {
    const lines = platforms.flatMap((platform) => describeFiles(client, ...platform))
    const golden = join(fixtures, client.name, 'locations.txt')
    await expect(slashes(`${lines.join('\n')}\n`)).toMatchFileSnapshot(golden)
  })

  test('reads the files that it writes, and writes one for all folders of a user', () => {
    const host = linux('/home/ada', '/home/ada/shop')
    const known = client.locations(host).flat().map(lineOf)
    const user = client.target(host, 'user')
    expect(user.length).toBeGreaterThan(0)
    for (const location of [...user, ...client.target(host, 'folder')])
      expect(known.map(withoutProduct)).toContain(withoutProduct(lineOf(location)))
  })

  test.for(['user', 'folder'] as const)('reads the server that it writes, %s', async (scope) => {
    const host = linux(createHome())
    if (client.target(host, scope).length === 0) return
    const added = await addServer({ client, name: 'docs', launch, host, scope })
    const {
      type = 'stdio',
      enabled = true,
      cwd,
      timeoutSeconds,
      ...server
    } = await readBack(client, host, scope, added.text)
    expect({ type, enabled, server }).toEqual({ type: 'stdio', enabled: true, server: launch })
    // Goose does not have a default.
    expect(timeoutSeconds).toBe(client.name === 'goose' ? 300 : undefined)
    // A server of a folder runs in it.
    expect(cwd).toBe(scope === 'folder' ? host.cwd : undefined)
  })

  test('reads the server when its entry has what it needs', async () => {
    const host = linux(createHome())
    const needs = { variables: ['TOKEN'], timeoutSeconds: 900 }
    const added = await addServer({ client, name: 'docs', launch, needs, host, scope: 'user' })
    expect(await readBack(client, host, 'user', added.text)).toMatchObject(launch)
  })

  test('gets an entry, and no other byte of its file changes', async () => {
    const { home } = plant(client.name)
    const host = linux(home)
    const { path, backup } = await addServer({ client, name: 'docs', launch, host, scope: 'user' })
    const before = readFileSync(backup ?? '', 'utf8')
    const after = readFileSync(path, 'utf8')
    const start = commonLength(before, after)
    const end = commonLength(reversed(before), reversed(after))
    expect(start + end).toBeGreaterThanOrEqual(before.length)
  })

  test('has entries that are read as its fixture says', async () => {
    const { home, expected } = plant(client.name)
    const { files, others = [] } = expected
    for (const { path, at, dir, servers, renamed = {}, notMoved } of [
      { path: '', at: [], ...files[0], ...expected },
      ...others,
    ]) {
      const host = linux(home, dir ?? home)
      const location = await locationOf(client, host, join(home, path), at)
      const read = await readEntries(client, host, location)
      const left = Object.keys(read).filter((name) => !((renamed[name] ?? name) in servers))
      expect(left.sort()).toEqual(Object.keys(notMoved).sort())
      for (const name of Object.keys(read).filter((name) => !left.includes(name)))
        expect({ [name]: read[name] }).toEqual({ [name]: servers[renamed[name] ?? name] })
    }
  })

  test('is installed once it has its file, or one of its commands', async () => {
    const host = linux(createHome())
    expect(await isInstalled(client, host)).toBe(false)
    for (const command of client.commands) {
      writeFileSync(join(host.home, command), '')
      expect(await isInstalled(client, { ...host, variables: { PATH: `/bin:${host.home}` } })).toBe(
        true,
      )
      rmSync(join(host.home, command))
    }
    await addServer({ client, name: 'docs', launch, host, scope: 'user' })
    // Roo Code is an extension of VS Code.
    const same = client.name === 'roo' ? ['roo', 'vscode'] : [client.name]
    const others = allClients.filter(({ name }) => !same.includes(name))
    expect(await isInstalled(client, host)).toBe(true)
    const installed = await Promise.all(others.map((other) => isInstalled(other, host)))
    expect(others.filter((_, index) => installed[index]).map(({ name }) => name)).toEqual([])
  })
})

const platforms: readonly [NodeJS.Platform, HostEnvironment['variables']][] = [
  ['linux', {}],
  [
    'linux',
    {
      XDG_CONFIG_HOME: '/config',
      CLAUDE_CONFIG_DIR: '/claude',
      CLINE_DIR: '/cline',
      CODEX_HOME: '/codex',
      COPILOT_HOME: '/copilot',
      GEMINI_CLI_HOME: '/gemini',
      OPENCODE_CONFIG: '/opencode.json',
      VSCODE_APPDATA: '/vscode',
    },
  ],
  ['darwin', {}],
  ['win32', {}],
  ['win32', { APPDATA: '/roaming', LOCALAPPDATA: '/local', VSCODE_PORTABLE: '/portable' }],
]

function describeFiles(
  { locations, otherFiles, target }: Client,
  platform: NodeJS.Platform,
  variables: HostEnvironment['variables'],
): string[] {
  const host = { home: '/home/ada', cwd: '/home/ada/shop', platform, variables }
  return [
    [platform, ...Object.keys(variables)].join(' '),
    ...locations(host).flatMap((alternatives) => ['  reads', ...alternatives.map(lineOf)]),
    ...Object.entries(otherFiles?.(host) ?? {}).flatMap(([name, file]) => [
      `  reads, ${name}`,
      `    ${file}`,
    ]),
    ...(['folder', 'user'] as const).flatMap((scope) => [
      `  writes, ${scope}`,
      ...target(host, scope).map(lineOf),
    ]),
  ]
}

const slashes = (text: string): string => text.replaceAll(sep, '/')

const lineOf = ({ file, at, product, folder }: ConfigLocation): string =>
  [
    `    ${file} at ${at.join(' > ')}`,
    ...(folder === undefined ? [] : [`in ${folder}`]),
    ...(product === undefined ? [] : [`(${product})`]),
  ].join(' ')

const withoutProduct = (line: string): string => line.replace(/ \(.*\)$/, '')

/** The server named docs in the text of a file, as ours. */
async function readBack(client: Client, host: HostEnvironment, scope: Scope, text: string) {
  const location = client.target(host, scope).at(-1)
  if (location === undefined) throw new Error(scope)
  const root = await readConfigText(client.format, text)
  const raw = valueAt(root, [...location.at, 'docs'])
  const note = (): void => {}
  return translateEntry(client, raw, { name: 'docs', location, host, root, otherFiles: {}, note })
}

async function locationOf(
  client: Client,
  host: HostEnvironment,
  file: string,
  at: readonly string[],
): Promise<ConfigLocation> {
  const all = await Promise.all(client.locations(host).flat().map(matchingLocations))
  const found = all.flat().find((one) => one.file === file && `${one.at}` === `${at}`)
  if (found === undefined) throw new Error(`${client.name} does not read ${file} at ${at}`)
  return found
}

/** The entries of a file as ours; undefined for one that is refused. */
async function readEntries(client: Client, host: HostEnvironment, location: ConfigLocation) {
  const root = await readConfigText(client.format, (await readText(location.file))?.text ?? '')
  const otherFiles: Record<string, unknown> = {}
  for (const [name, file] of Object.entries(client.otherFiles?.(host) ?? {})) {
    const read = await readText(file)
    if (read !== undefined) otherFiles[name] = await readConfigText('jsonc', read.text)
  }
  const members = valueAt(root, location.at)
  const entries: Record<string, Table | undefined> = {}
  for (const [name, raw] of Object.entries(isTable(members) ? members : {}))
    try {
      const context = { name, location, host, root, otherFiles, note: () => {} }
      entries[name] = translateEntry(client, raw, context)
    } catch (error) {
      if (!(error instanceof EntryRefused)) throw error
      entries[name] = undefined
    }
  return entries
}

const reversed = (text: string): string => [...text].reverse().join('')

function commonLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length += 1
  return length
}
