import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from '../../../base/test/temporary-folder.ts'
import type { Table } from '../../src/files/index.ts'

export const fixtures: string = fileURLToPath(new URL('./fixtures', import.meta.url))

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

/** The clients with a fixture whose files can be read. */
export const fixtureNames: string[] = readdirSync(fixtures).filter(
  (name) => name !== 'refused' && existsSync(join(fixtures, name, 'expected.json')),
)

/** A home of its own, removed after the test. */
export function createHome(): string {
  const home = temporaryFolder(onTestFinished)
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
