import { readdir } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { readText } from '../access/read-text.ts'
import { isInside, type Roots } from '../access/roots.ts'
import { isSecret, isSecretFolder } from '../access/secret-files.ts'

/** Source files below some folders. */
export interface Listing {
  /** Real paths. */
  files: readonly string[]
  /** There are more files than are listed. */
  isCut: boolean
  /** Folders that could not be read. */
  unreadable: number
}

export interface ListOptions {
  /** The real path of a folder below a root, to which the listing is limited. */
  within?: string
  /**
   * Selects the files to list, by their real paths; default all. Others do not count against the
   * limit.
   */
  accept?: (path: string) => boolean
  /** Default 50,000. */
  maxFiles?: number | undefined
  signal?: AbortSignal | undefined
}

const defaultMaxFiles = 50_000
/** At most this many directory entries are examined, including skipped ones. */
const maxEntries = 300_000
const maxRuleBytes = 1_000_000
const maxDepth = 64
/** Folders that are skipped even if no `.gitignore` excludes them. */
const foreign = new Set(['node_modules', '.git', '.hg', '.svn', '__pycache__', '.venv', '.tox'])

interface Rules {
  folder: string
  rules: Ignore
}

/**
 * All files below the roots that `.gitignore` files do not exclude, sorted by folder and name.
 * Links are not followed; secrets are skipped.
 */
export async function listFiles(roots: Roots, options: ListOptions = {}): Promise<Listing> {
  const { within, accept = () => true, maxFiles = defaultMaxFiles, signal } = options
  const files: string[] = []
  let looked = 0
  let unreadable = 0
  let isCut = false
  for (const root of roots.folders) {
    if (within === undefined) await walk(root, root, [], 0)
    else if (isInside(within, root)) await walk(root, within, await rulesAbove(root, within), 0)
  }
  return { files: [...new Set(files)], isCut, unreadable }

  async function walk(
    root: string,
    folder: string,
    above: readonly Rules[],
    depth: number,
  ): Promise<void> {
    signal?.throwIfAborted()
    if (depth > maxDepth || files.length >= maxFiles || looked >= maxEntries) {
      isCut = true
      return
    }
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined)
    if (entries === undefined) {
      unreadable++
      return
    }
    looked += entries.length
    const rules = entries.some((entry) => entry.name === '.gitignore' && entry.isFile())
      ? [...above, await readRules(folder)]
      : above
    entries.sort((one, other) => (one.name < other.name ? -1 : 1))
    for (const entry of entries) {
      const path = join(folder, entry.name)
      const isFolder = entry.isDirectory()
      if (isFolder ? foreign.has(entry.name) : !entry.isFile()) continue
      const name = relative(root, path)
      if (isFolder ? isSecretFolder(name) : isSecret(name)) continue
      if (isIgnored(path, isFolder, rules)) continue
      if (isFolder) await walk(root, path, rules, depth + 1)
      else if (accept(path)) {
        if (files.length >= maxFiles) isCut = true
        else files.push(path)
      }
    }
  }
}

/** The rules of the folders between a root and a folder below it, without the folder itself. */
async function rulesAbove(root: string, folder: string): Promise<Rules[]> {
  const folders: string[] = []
  for (let at = folder; at !== root && isInside(at, root); ) {
    at = dirname(at)
    folders.unshift(at)
  }
  return Promise.all(folders.map(readRules))
}

/** No rules for a folder without a `.gitignore` that can be read. */
async function readRules(folder: string): Promise<Rules> {
  const path = join(folder, '.gitignore')
  const read = await readText(path, path, maxRuleBytes).catch(() => undefined)
  return { folder, rules: ignore().add(read?.text ?? '') }
}

/** The rules nearest to a file take precedence. */
function isIgnored(path: string, isFolder: boolean, all: readonly Rules[]): boolean {
  for (const { folder, rules } of all.toReversed()) {
    const name = relative(folder, path).replaceAll(sep, '/')
    const { ignored, unignored } = rules.test(isFolder ? `${name}/` : name)
    if (ignored) return true
    if (unignored) return false
  }
  return false
}
