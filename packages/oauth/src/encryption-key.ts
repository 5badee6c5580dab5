import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '#base/replace-file'
import { within } from '#base/within'
import { keyLength } from '#servers/secrets/encrypt'
import type { Keychain } from '#servers/secrets/keychain'
import { lock } from './process-lock.ts'

/** Where the key for stored tokens is kept: a keychain, or a file in `folder`. */
export interface EncryptionKeyOptions {
  /** Holds a reference to the key in the keychain, or the key itself if there is no keychain. */
  folder: string
  keychain: Keychain
  onLog?: ((text: string) => void) | undefined
  /** Service name of the entries in the keychain. */
  service?: string | undefined
}

const marker = 'keychain:'
/** A person may have to unlock the keychain; the first access waits for a shorter time. */
const unlockMs = 60_000
const firstMs = 15_000

/**
 * The key that tokens are encrypted with: stored in the operating system's keychain, or without one
 * in a file that only its owner can read. The choice is permanent: with a second key, tokens would
 * be lost that are only temporarily out of reach.
 */
export function createEncryptionKey(options: EncryptionKeyOptions): () => Promise<Buffer> {
  const { folder, keychain, onLog = () => {}, service = 'aggregator-mcp' } = options
  const file = join(folder, 'encryption-key')
  let key: Promise<Buffer> | undefined

  async function find(): Promise<Buffer> {
    const existing = await keptIn(file)
    if (existing !== undefined) return existing
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const fileLock = await lock(`${file}.held`, unlockMs)
    try {
      return (await keptIn(file)) ?? (await choose())
    } finally {
      fileLock.release()
    }
  }

  async function keptIn(path: string): Promise<Buffer | undefined> {
    const text = textOf(path)
    if (text === undefined) return undefined
    if (!text.startsWith(marker)) return decoded(text, path)
    const entry = text.slice(marker.length)
    const value = await answered(unlockMs, keychain.get(service, entry))
    if (value === undefined)
      throw new Error(
        `the key of ${folder} is missing in the keychain; delete ${path} to create a new key`,
      )
    return decoded(value, 'the keychain')
  }

  async function choose(): Promise<Buffer> {
    const key = randomBytes(keyLength)
    const text = key.toString('base64')
    const entry = randomUUID()
    try {
      await answered(firstMs, keychain.set(service, entry, text))
      if ((await answered(firstMs, keychain.get(service, entry))) !== text)
        throw new Error('the keychain does not store entries')
      replaceFile(file, `${marker}${entry}\n`)
    } catch (error) {
      replaceFile(file, `${text}\n`)
      onLog(`Tokens are encrypted with a key in ${file}: ${(error as Error).message}.`)
    }
    return key
  }

  return () => {
    key ??= find().catch((error: unknown) => {
      key = undefined
      throw error
    })
    return key
  }
}

function decoded(text: string, where: string): Buffer {
  const key = Buffer.from(text, 'base64')
  if (key.length !== keyLength) throw new Error(`the key in ${where} is damaged`)
  return key
}

function textOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return undefined
  if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0)
    throw new Error(`others can read ${path}; run chmod 600 ${path}`)
  return readFileSync(path, 'utf8').trim()
}

const answered = <T>(ms: number, work: Promise<T>): Promise<T> =>
  within(ms, work, `the keychain did not answer within ${ms / 1000} s`)
