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
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)

export interface Packed {
  /** Empty but for the archives. */
  archives: string
  /** Where npm installed all of them, and nothing else that was asked for. */
  installed: string
  archiveOf(name: string): string
  remove(): void
}

const rooms = ['packages', 'apps']
export const paths: string[] = rooms.flatMap((room) =>
  readdirSync(room).map((name) => `${room}/${name}`),
)

/** What the remark preset of the cleaner has as peers, which who uses it installs. */
const peers = Object.keys(
  JSON.parse(readFileSync('packages/cleaner/package.json', 'utf8')).peerDependencies,
)

/** What a stranger gets: archives as they are published, installed by npm in an empty folder. */
export async function packAll(): Promise<Packed> {
  // Real paths, since some systems have their temporary folder behind a link; with a space in it.
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'pith packed ')))
  const [archives, installed] = [temporary(root, 'archives '), temporary(root, 'installed ')]
  const pack = (path: string) =>
    execute('pnpm', ['pack', '--pack-destination', archives], { cwd: path })
  for (let at = 0; at < paths.length; at += 3) await Promise.all(paths.slice(at, at + 3).map(pack))
  writeFileSync(join(installed, 'package.json'), '{ "private": true, "type": "module" }')
  const all = readdirSync(archives).map((name) => join(archives, name))
  await npm(['install', ...quietly, ...all, ...peers], installed)
  return {
    archives,
    installed,
    archiveOf: (name) => {
      const found = all.find(
        (path) => /pith-mcp-(.+)-\d+\.\d+\.\d+.*\.tgz$/.exec(path)?.[1] === name,
      )
      if (!found) throw new Error(`${name} was not packed`)
      return found
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

const quietly = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
const temporary = (root: string, name: string): string => mkdtempSync(join(root, name))
const npm = (args: string[], cwd: string) => execute('npm', args, { cwd })

/** The folders of this Node and of the newest that npm has. */
export async function findNodes(packed: Packed): Promise<readonly string[]> {
  const folder = temporary(dirname(packed.archives), 'node ')
  await npm(['install', '--no-save', ...quietly, 'node@latest'], folder)
  return [dirname(process.execPath), join(folder, 'node_modules', 'node', 'bin')]
}

/** The environment of someone who has that Node first on the path. */
export const environmentWith = (folder: string): Record<string, string> => ({
  ...(process.env as Record<string, string>),
  PATH: `${folder}${delimiter}${process.env['PATH']}`,
})
