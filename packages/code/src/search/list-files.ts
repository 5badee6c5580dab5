import { type Dirent, existsSync, readdirSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { isInside } from '#base/inside-folder'
import { readBytes } from '../access/read-bytes.ts'
import { decodeText } from '../access/read-text.ts'
import type { Roots } from '../access/roots.ts'
import { isSecret, isSecretFolder } from '../access/secret-files.ts'
import { type Account, emptyAccount } from './account.ts'

/** Source files below some folders. */
export interface Listing {
  /** Real paths. */
  files: readonly string[]
  account: Account
}

export interface ListOptions {
  /** The real path of a folder below a root, to which the listing is limited. */
  within?: string | undefined
  /**
   * Selects the files to list, by their real paths; default all. Others do not count against the
   * limit.
   */
  accept?: (path: string) => boolean
  /** Default 100,000. */
  maxFiles?: number | undefined
  /** Ends the listing if it returns true. */
  isOver?: () => boolean
  /** Called before a folder is read. */
  onFolder?: (path: string) => void
  /** Called for each file that is left out because it is a secret, or by a `.gitignore`. */
  onIgnored?: (path: string) => void
}

export const defaultMaxFiles = 100_000
/** At most this many directory entries are examined, including skipped ones. */
const maxEntries = 300_000
const maxRuleBytes = 1_000_000
const maxDepth = 64
/** Folders without source code, which are not counted. */
const repositories = new Set(['.git', '.hg', '.svn'])
/** Folders that are skipped even if no `.gitignore` excludes them. */
const foreign = new Set(['node_modules', '__pycache__', '.venv', '.tox'])

interface Rules {
  folder: string
  rules: Ignore
  /** False for the name of a file that none of the rules can mean. */
  mayMean: (name: string) => boolean
}

/**
 * All files below the roots that `.gitignore` files do not exclude, sorted by folder and name.
 * Links are not followed; secrets are skipped. Blocks its thread: it takes a second for 80,000
 * files.
 */
export function listFiles(roots: Roots, options: ListOptions = {}): Listing {
  const { within, accept = () => true, maxFiles = defaultMaxFiles } = options
  const { isOver = () => false, onFolder = () => {}, onIgnored = () => {} } = options
  const files = new Set<string>()
  const account = emptyAccount()
  let looked = 0
  for (const root of roots.folders) {
    if (within === undefined) walk(root, root, [], 0)
    else if (isInside(within, root)) walk(root, within, rulesAbove(root, within), 0)
  }
  return { files: [...files], account }

  function walk(root: string, folder: string, above: readonly Rules[], depth: number): void {
    if (depth > maxDepth) {
      account.tooDeep++
      return
    }
    if (files.size >= maxFiles || looked >= maxEntries || isOver()) {
      account.isCut = true
      return
    }
    onFolder(folder)
    const entries = entriesOf(folder)
    const rootLength = root.endsWith(sep) ? root.length : root.length + 1
    looked += entries.length
    const rules = entries.some((entry) => entry.name === '.gitignore' && entry.isFile())
      ? [...above, readRules(folder)]
      : above
    entries.sort((a, b) => (a.name < b.name ? -1 : 1))
    for (const entry of entries) {
      const path = folder.endsWith(sep) ? folder + entry.name : folder + sep + entry.name
      const isFolder = entry.isDirectory()
      if (isFolder ? repositories.has(entry.name) : !(entry.isFile() && accept(path))) continue
      const isForeign = isFolder && foreign.has(entry.name)
      const isHidden = isFolder ? isSecretFolder : isSecret
      if (isForeign || isHidden(path.slice(rootLength)) || isIgnored(path, isFolder, rules)) {
        account.ignored++
        if (!isFolder) onIgnored(path)
      } else if (isFolder) walk(root, path, rules, depth + 1)
      else if (files.size >= maxFiles) account.isCut = true
      else files.add(path)
    }
  }

  function entriesOf(folder: string): Dirent[] {
    try {
      return readdirSync(folder, { withFileTypes: true })
    } catch {
      account.unreadable++
      return []
    }
  }

  /** No rules for a `.gitignore` that cannot be read. */
  function readRules(folder: string): Rules {
    let text = ''
    try {
      const path = join(folder, '.gitignore')
      text = decodeText(readBytes(path, Buffer.allocUnsafe(maxRuleBytes)).bytes)
    } catch {
      account.unreadable++
    }
    return { folder, rules: ignore().add(text), mayMean: nameFilter(text) }
  }

  /** The rules of the folders between a root and a folder below it, without the folder itself. */
  function rulesAbove(root: string, folder: string): Rules[] {
    const folders: string[] = []
    for (let at = folder; at !== root && isInside(at, root); ) {
      at = dirname(at)
      folders.unshift(at)
    }
    return folders.filter((parent) => existsSync(join(parent, '.gitignore'))).map(readRules)
  }
}

/**
 * The names of files that rules may mean: those that have what is literal in the last part of one.
 * To test all rules takes ten times as long.
 */
function nameFilter(text: string): (name: string) => boolean {
  const literals = text
    .toLowerCase()
    .split('\n')
    .map((line) => line.trim())
    // A rule for folders: only folders that are not ignored are listed.
    .filter((rule) => rule !== '' && !rule.endsWith('/'))
    .map((rule) => rule.slice(rule.lastIndexOf('/') + 1).replace(/^!/, ''))
    .map((last) => last.replace(/\[[!^]?\]?[^\]]*\]/g, '*').split(/[*?\\]/))
  return (name) => {
    const lower = name.toLowerCase()
    return literals.some(
      (parts) =>
        lower.startsWith(parts[0] ?? '') &&
        lower.endsWith(parts.at(-1) ?? '') &&
        parts.every((part) => lower.includes(part)),
    )
  }
}

/** The rules nearest to a file take precedence. */
function isIgnored(path: string, isFolder: boolean, all: readonly Rules[]): boolean {
  for (const { folder, rules, mayMean } of all.toReversed()) {
    if (!isFolder && !mayMean(path.slice(path.lastIndexOf(sep) + 1))) continue
    const name = path.slice(folder.length + (folder.endsWith(sep) ? 0 : 1)).replaceAll(sep, '/')
    const { ignored, unignored } = rules.test(isFolder ? `${name}/` : name)
    if (ignored) return true
    if (unignored) return false
  }
  return false
}
