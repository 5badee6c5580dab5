import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { readText } from '../access/read-text.ts'
import type { Roots } from '../access/roots.ts'
import { isSecret } from '../access/secrets.ts'

/** Files of source code below some folders, as far as they were looked through. */
export interface Listing {
  /** Real paths. */
  files: readonly string[]
  /** There are more than are listed. */
  isCut: boolean
}

const mostFiles = 50_000
/** Names that are looked at, also of what is left out. */
const mostEntries = 300_000
const mostRuleBytes = 1_000_000
const deepest = 64
/** Never source of one's own, whether a `.gitignore` says so or not. */
const foreign = new Set(['node_modules', '.git', '.hg', '.svn', '__pycache__', '.venv', '.tox'])

interface Rules {
  folder: string
  rules: Ignore
}

/**
 * All files below the roots that `.gitignore` files do not leave out, by folder and name. Links are
 * not followed; secrets are left out.
 */
export async function listFiles(roots: Roots, signal?: AbortSignal): Promise<Listing> {
  const files: string[] = []
  let looked = 0
  for (const root of roots.folders) await walk(root, root, [], 0)
  return { files: [...new Set(files)], isCut: files.length >= mostFiles || looked >= mostEntries }

  async function walk(
    root: string,
    folder: string,
    above: readonly Rules[],
    depth: number,
  ): Promise<void> {
    signal?.throwIfAborted()
    if (depth > deepest || files.length >= mostFiles || looked >= mostEntries) return
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
    looked += entries.length
    const rules = entries.some((entry) => entry.name === '.gitignore' && entry.isFile())
      ? [...above, await readRules(folder)]
      : above
    entries.sort((one, other) => (one.name < other.name ? -1 : 1))
    for (const entry of entries) {
      const path = join(folder, entry.name)
      const isFolder = entry.isDirectory()
      if (isFolder ? foreign.has(entry.name) : !entry.isFile()) continue
      if (isSecret(relative(root, path)) || isIgnored(path, isFolder, rules)) continue
      if (isFolder) await walk(root, path, rules, depth + 1)
      else if (files.length < mostFiles) files.push(path)
    }
  }
}

async function readRules(folder: string): Promise<Rules> {
  const path = join(folder, '.gitignore')
  const read = await readText(path, path, mostRuleBytes).catch(() => undefined)
  return { folder, rules: ignore().add(read?.text ?? '') }
}

/** The rules nearest to a file decide. */
function isIgnored(path: string, isFolder: boolean, all: readonly Rules[]): boolean {
  for (const { folder, rules } of all.toReversed()) {
    const name = relative(folder, path).replaceAll(sep, '/')
    const { ignored, unignored } = rules.test(isFolder ? `${name}/` : name)
    if (ignored) return true
    if (unignored) return false
  }
  return false
}
