import { execFile } from 'node:child_process'
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'

const execute = promisify(execFile)

export interface Packed {
  /** Empty but for the archives. */
  archives: string
  /** Where npm installed all of them, and nothing else that was asked for. */
  installed: string
  /** The folder of this Node; in the long tier that of the newest that npm has, too. */
  nodes: readonly string[]
  /** In the long tier: where Bun and Deno are, if they could be installed. */
  runtimes: string | undefined
}

declare module 'vitest' {
  interface ProvidedContext {
    packed: Packed
  }
}

/**
 * What a stranger gets: archives as they are published, installed by npm in an empty folder. Done once
 * for all files of the project, before the first of them.
 */
export default async function packOnce(project: TestProject): Promise<() => void> {
  // Real paths, since some systems have their temporary folder behind a link; with a space in it.
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'pith packed ')))
  const remove = () => rmSync(root, { recursive: true, force: true })
  try {
    const [archives, installed] = [temporary(root, 'archives '), temporary(root, 'installed ')]
    const [nodes, runtimes] = await Promise.all([
      findNodes(temporary(root, 'node ')),
      findRuntimes(temporary(root, 'runtimes ')),
      packAll(archives).then(() => installAll(archives, installed)),
    ])
    project.provide('packed', { archives, installed, nodes, runtimes })
    return remove
  } catch (error) {
    remove()
    throw error
  }
}

async function packAll(archives: string): Promise<void> {
  await execute('node', ['scripts/pack-archives.mjs', archives]).catch((cause: Error) => {
    if (!cause.message.includes('spawnSync pnpm ENOENT')) throw cause
    throw new Error('pnpm is not on the PATH. Run: npm run vitest -- run --project packed', {
      cause,
    })
  })
}

/** What the stock composition of the cleaner needs, which who uses it installs. */
const peers = Object.keys(
  JSON.parse(readFileSync('packages/cleaner/package.json', 'utf8')).peerDependencies,
)

async function installAll(archives: string, installed: string): Promise<void> {
  writeFileSync(join(installed, 'package.json'), '{ "private": true, "type": "module" }')
  const all = readdirSync(archives).map((name) => join(archives, name))
  await npm(['install', ...quietly, ...all, ...peers], installed)
}

async function findNodes(folder: string): Promise<string[]> {
  const own = dirname(process.execPath)
  if (process.env['LONG'] !== '1') return [own]
  await npm(['install', '--no-save', ...quietly, 'node@latest'], folder)
  return [own, join(folder, 'node_modules', 'node', 'bin')]
}

async function findRuntimes(folder: string): Promise<string | undefined> {
  if (process.env['LONG'] !== '1') return undefined
  const bin = join(folder, 'node_modules', '.bin')
  // Not for every system there are programs, and their scripts may be forbidden to fetch them.
  return npm(['install', '--no-save', ...quietly, 'bun', 'deno'], folder)
    .then(() => Promise.all(['bun', 'deno'].map((name) => execute(join(bin, name), ['--version']))))
    .then(
      () => bin,
      () => undefined,
    )
}

const quietly = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
const temporary = (root: string, name: string): string => mkdtempSync(join(root, name))
const npm = (args: string[], cwd: string) => execute('npm', args, { cwd })
