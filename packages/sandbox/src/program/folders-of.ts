import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { isWithin } from './is-within.ts'

/** Folders next to `bin` that its programs need. */
const siblingsOfBin = ['lib', 'lib64', 'libexec', 'pyvenv.cfg']
const marks = ['package.json', 'pyproject.toml', 'deno.json', 'Gemfile']

/** What belongs to an installed file: its installation, its package, or the file alone. */
export function foldersOf(file: string): string[] {
  const folder = dirname(file)
  const modules = /^(.*?[/\\]node_modules)[/\\]/.exec(file)?.[1]
  if (modules !== undefined) return [modules]
  if (basename(folder) === 'bin') {
    const siblings = siblingsOfBin.map((name) => join(dirname(folder), name))
    return [folder, ...siblings.filter(existsSync)]
  }
  const root = packageOf(folder)
  if (root === undefined) return [file]
  const modulesAbove = above(root).map((path) => join(path, 'node_modules'))
  return [root, ...modulesAbove.filter(existsSync)]
}

/** The nearest parent folder that is a package; never the home folder or a parent of it. */
function packageOf(folder: string): string | undefined {
  for (const path of [folder, ...above(folder)]) {
    if (isWithin(homedir(), path)) return undefined
    if (marks.some((name) => existsSync(join(path, name)))) return path
  }
  return undefined
}

/** The parents of a folder, the nearest first. */
function above(path: string): string[] {
  const parent = dirname(path)
  return parent === path ? [] : [parent, ...above(parent)]
}
