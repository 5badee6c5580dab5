import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { createHome, fixtureNames, plant } from '../../server-kit/test/clients/plant.ts'
import type { HostEnvironment } from '../src/entry/host-environment.ts'
import { runImport } from '../src/run-import.ts'

export const put = (home: string, path: string, text: string): void => {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), text)
}

export const referenceTo = (name: string): string => `\${keychain:pith/${name}}`

export const surroundings = (
  home: string,
  given: Partial<HostEnvironment> = {},
): HostEnvironment => ({
  home,
  cwd: home,
  platform: 'linux',
  variables: {},
  now: () => new Date('2026-11-21T12:00:00Z'),
  main: '/usr/lib/node_modules/@pith-mcp/aggregator-mcp/dist/main.js',
  packageName: '@pith-mcp/aggregator-mcp',
  configVariable: 'AGGREGATOR_MCP_CONFIG',
  isInClear: (_, text) => !text.includes('${'),
  risksOf: () => [],
  secretsIn: () => [],
  secretsInArgs: () => [],
  secrets: async () => ({
    where: 'the keychain',
    referenceTo,
    store: () => Promise.reject(new Error('there is no keychain on this machine.')),
  }),
  ...given,
})

export async function run(home: string, argv: string[], given: Partial<HostEnvironment> = {}) {
  const said = { out: '', err: '' }
  const code = await runImport(argv, surroundings(home, given), {
    print(text) {
      said.out += text
    },
    printError(text) {
      said.err += text
    },
  })
  return { code, ...said }
}

/** All there is below a folder: bytes, modes and links. */
export function treeOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((path) => {
        const stats = lstatSync(join(folder, path))
        const mode = (stats.mode & 0o777).toString(8)
        if (stats.isSymbolicLink()) return [path, `link ${readlinkSync(join(folder, path))}`]
        if (stats.isDirectory()) return [path, 'folder']
        return [path, `${mode} ${readFileSync(join(folder, path)).toString('base64')}`]
      }),
  )
}

export const own = (home: string): string =>
  readFileSync(join(home, '.config/pith/aggregator.json'), 'utf8')

/** One home with the files of every client. */
export function everyone(): string {
  const home = createHome()
  for (const name of fixtureNames) plant(name, home)
  return home
}

export const cursorFile = '.cursor/mcp.json'

export const servers = (...names: string[]): string =>
  JSON.stringify({ mcpServers: Object.fromEntries(names.map((name) => [name, { command: name }])) })
