import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Table } from '@pith-mcp/server-kit/files'
import { onTestFinished } from 'vitest'
import type { HostEnvironment } from '../../src/import/entry/entry-context.ts'
import { runImport } from '../../src/import/run-import.ts'

const fixtures = fileURLToPath(new URL('./fixtures', import.meta.url))

interface ExpectedFile {
  path: string
  at: string[]
  dir?: string
  mode?: string
  symlinkTo?: string
}

interface ExpectedServers {
  servers: Record<string, Table>
  renamed?: Record<string, string>
  notMoved: Record<string, string>
}

export interface Expected extends ExpectedServers {
  files: ExpectedFile[]
  others?: (ExpectedFile & ExpectedServers)[]
  untouched?: string[]
  mustSurvive?: string[]
}

/** Those with a fixture whose files can be read. */
export const clientNames: string[] = readdirSync(fixtures).filter(
  (name) => name !== 'refused' && existsSync(join(fixtures, name, 'expected.json')),
)

/** A home of its own, removed after the test. */
export function createHome(): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'import-')))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return home
}

/** The files of a fixture in a home, with the modes and links that Git does not keep. */
export function plant(
  name: string,
  home: string = createHome(),
): { home: string; expected: Expected } {
  cpSync(join(fixtures, name, 'home'), home, { recursive: true })
  const text = readFileSync(join(fixtures, name, 'expected.json'), 'utf8')
  const expected = JSON.parse(text.replaceAll('{{HOME}}', home)) as Expected
  for (const { path, mode, symlinkTo } of expected.files) {
    if (mode !== undefined) chmodSync(join(home, path), Number.parseInt(mode, 8))
    if (symlinkTo === undefined) continue
    mkdirSync(dirname(join(home, path)), { recursive: true })
    symlinkSync(relative(dirname(path), symlinkTo), join(home, path))
  }
  return { home, expected }
}

export const put = (home: string, path: string, text: string): void => {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), text)
}

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
  for (const name of clientNames) plant(name, home)
  return home
}

export const cursorFile = '.cursor/mcp.json'

export const servers = (...names: string[]): string =>
  JSON.stringify({ mcpServers: Object.fromEntries(names.map((name) => [name, { command: name }])) })
