import { access } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { isWithin } from './is-within.ts'

/** Folders next to `bin` that its programs need. */
const siblingsOfBin = ['lib', 'lib64', 'libexec', 'pyvenv.cfg']
const marks = ['package.json', 'pyproject.toml', 'deno.json', 'Gemfile']

/** What belongs to an installed file: its installation, its package, or the file alone. */
export async function foldersOf(file: string): Promise<string[]> {
  const folder = dirname(file)
  const modules = /^(.*?[/\\]node_modules)[/\\]/.exec(file)?.[1]
  if (modules !== undefined) return [modules]
  if (basename(folder) === 'bin') {
    const siblings = siblingsOfBin.map((name) => join(dirname(folder), name))
    return [folder, ...(await thoseThere(siblings))]
  }
  const root = await packageOf(folder)
  if (root === undefined) return [file]
  return [root, ...(await thoseThere(above(root).map((path) => join(path, 'node_modules'))))]
}

/** The nearest parent folder that is a package; never the home folder or a parent of it. */
async function packageOf(folder: string): Promise<string | undefined> {
  for (const path of [folder, ...above(folder)]) {
    if (isWithin(homedir(), path)) return undefined
    const found = await thoseThere(marks.map((name) => join(path, name)))
    if (found.length > 0) return path
  }
  return undefined
}

/** The parents of a folder, the nearest first. */
function above(path: string): string[] {
  const parent = dirname(path)
  return parent === path ? [] : [parent, ...above(parent)]
}

async function thoseThere(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    paths.map((path) =>
      access(path).then(
        () => [path],
        () => [],
      ),
    ),
  )
  return found.flat()
}
