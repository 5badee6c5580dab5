import { hkdfSync, randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { attempt } from '#base/attempt'
import { replaceFile, withLock } from '#base/replace-file'
import { createSigner } from '#base/signer'
import { encrypt, keyLength, open } from './encrypt.ts'

/**
 * Shows that what a state folder has was written by this program. With write access to the folder
 * alone, a content can neither be forged nor replaced by an older one.
 */
export interface Seal {
  /** Replaces a file, whose content is the latest of this name from then on. */
  write(file: string, name: string, content: unknown): void
  /**
   * The content of a file, whose text `read` returns. @throws {Error} if it has no seal of ours, or is
   * an old one, and what `read` throws
   */
  open(name: string, read: () => string): unknown
  /** Whether a file of this name was written before. */
  isKnown(name: string): boolean
  /** For texts that others must not read. */
  encrypt(text: string, purpose: string): string
  /** @throws {Error} if it was not encrypted with this key and purpose */
  decrypt(text: string, purpose: string): string
}

const sealed = z.object({ mac: z.string(), revision: z.int(), content: z.unknown() })
const revisions = z.record(z.string(), z.int())

interface SealOptions {
  /** The state folder. */
  state: string
  /** The files that have a seal. */
  files(): string[]
  onLog(text: string): void
  /** Called once with the files of an earlier version, which had none. */
  onSealed?(files: readonly string[]): void
}

/**
 * A seal with the key in `STATE.key`, next to the state folder, which only its owner can read; within
 * the folder if there is no other place. Nothing is read or created before the first use, which
 * throws for a key that cannot be read.
 */
export function createSeal({ state, files, onLog, onSealed }: SealOptions): Seal {
  let opened: Omit<Seal, 'isKnown'> | undefined
  function seal(): Omit<Seal, 'isKnown'> {
    if (opened !== undefined) return opened
    const { path, isNew } = createKey(state, onLog)
    opened = openSeal(path)
    const earlier = isNew ? sealAll(opened, files()) : []
    if (earlier.length > 0) onSealed?.(earlier)
    return opened
  }
  return {
    write: (...about) => seal().write(...about),
    open: (...about) => seal().open(...about),
    // Reading alone creates no key.
    isKnown: (name) => keysOf(state).some((path) => revisionsIn(marksOf(path))[name] !== undefined),
    encrypt: (...about) => seal().encrypt(...about),
    decrypt: (...about) => seal().decrypt(...about),
  }
}

function openSeal(path: string): Omit<Seal, 'isKnown'> {
  const secret = readKey(path)
  const derived = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, '', `pith ${purpose}`, keyLength))
  const signer = createSigner([derived('state')])
  const hidden = derived('hidden')
  const marks = marksOf(path)
  const parts = (name: string, revision: number, content: unknown): string[] => [
    name,
    String(revision),
    JSON.stringify(content),
  ]
  return {
    write(file, name, content) {
      // The file comes first: a crash between the two leaves one that is ahead.
      const revision = (revisionsIn(marks)[name] ?? 0) + 1
      const mac = signer.sign(...parts(name, revision, content))
      replaceFile(file, `${JSON.stringify({ mac, revision, content }, null, 1)}\n`)
      withLock(marks, () => {
        const all = { ...revisionsIn(marks), [name]: revision }
        replaceFile(marks, JSON.stringify(all), { isDurable: false })
      })
    },
    open(name, read) {
      // Before the file, which is written first: a reader at the time of a write finds none that is old.
      const lowest = revisionsIn(marks)[name] ?? 0
      const { mac, revision, content } = sealed.parse(JSON.parse(read()))
      if (!signer.isSigned(mac, ...parts(name, revision, content)))
        throw new Error('it is not sealed with the key of this state folder')
      if (revision < lowest) throw new Error('it is an old one, which was put back')
      return content
    },
    encrypt: (text, purpose) => encrypt(text, hidden, purpose),
    decrypt: (text, purpose) => open(text, hidden, purpose),
  }
}

/** Where the key may be. */
const keysOf = (state: string): readonly string[] => [`${state}.key`, join(state, 'seal.key')]
/** Revisions by name, next to the key. Without it none is old. */
const marksOf = (key: string): string => `${key}.revisions`

/** Creates the file of a key unless there is one. */
function createKey(state: string, onLog: (text: string) => void): { path: string; isNew: boolean } {
  const [, inside] = keysOf(state)
  for (const path of keysOf(state)) {
    const draft = `${path}.${process.pid}.tmp`
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      writeFileSync(draft, randomBytes(keyLength).toString('base64'), { mode: 0o600 })
      // Whole or not at all, and only one of two processes.
      linkSync(draft, path)
      if (path === inside)
        onLog(
          `The key that seals approvals and pins is in ${path}: ${dirname(state)} is read-only.`,
        )
      return { path, isNew: true }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return { path, isNew: false }
      if (path === inside) throw error
    } finally {
      rmSync(draft, { force: true })
    }
  }
  throw new Error(`There is no place for a key of ${state}.`)
}

function readKey(path: string): Buffer {
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
    throw new Error(`Others can read ${path}; run chmod 600 ${path}.`)
  const key = Buffer.from(readFileSync(path, 'utf8'), 'base64')
  if (key.length === keyLength) return key
  throw new Error(`${path} is damaged. Remove it, and review approvals and pins again.`)
}

const revisionsIn = (path: string): z.output<typeof revisions> =>
  attempt(() => revisions.parse(JSON.parse(readFileSync(path, 'utf8'))), {})

/** Why a file cannot be used. Errors of parsers quote what they read. */
export const reasonOf = (error: unknown): string =>
  error instanceof SyntaxError || error instanceof z.ZodError
    ? 'it is damaged, or has no seal'
    : (error as Error).message

/** Seals files of an earlier version. Returns those. */
function sealAll(seal: Pick<Seal, 'write'>, files: readonly string[]): string[] {
  return files.filter((file) => {
    const content = attempt((): unknown => JSON.parse(readFileSync(file, 'utf8')), undefined)
    // What has a seal of another key is not of an earlier version.
    if (content === undefined || sealed.safeParse(content).success) return false
    seal.write(file, basename(file), content)
    return true
  })
}
