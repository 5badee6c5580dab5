import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { lock } from '../../files/process-lock.ts'
import { replaceFile } from '../../files/replace-file.ts'
import type { Keychain } from '../../secrets/keychain.ts'
import { keyLength } from './seal.ts'

export interface EncryptionKeyOptions {
  /** Says where the key is; holds it where there is no keychain. */
  folder: string
  keychain: Keychain
  onLog?: ((text: string) => void) | undefined
  /** The name of our entries in the keychain. */
  service?: string | undefined
}

const marker = 'keychain:'
/** Someone may have to unlock it; at the first time that is not waited for as long. */
const unlockMs = 60_000
const firstMs = 15_000

/**
 * The key that tokens are encrypted with: in the keychain of the operating system, or where there
 * is none in a file that only its owner reads. Which of both was chosen at the first time stays so:
 * with two keys, tokens would be lost that are only out of reach.
 */
export function createEncryptionKey(options: EncryptionKeyOptions): () => Promise<Buffer> {
  const { folder, keychain, onLog = () => {}, service = 'aggregator-mcp' } = options
  const file = join(folder, 'encryption-key')
  let known: Promise<Buffer> | undefined

  async function find(): Promise<Buffer> {
    const kept = await keptIn(file)
    if (kept !== undefined) return kept
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const held = await lock(`${file}.held`, unlockMs)
    try {
      return (await keptIn(file)) ?? (await choose())
    } finally {
      held.release()
    }
  }

  async function keptIn(path: string): Promise<Buffer | undefined> {
    const text = textOf(path)
    if (text === undefined) return undefined
    if (!text.startsWith(marker)) return decoded(text, path)
    const entry = text.slice(marker.length)
    const value = await within(unlockMs, keychain.get(service, entry))
    if (value === undefined)
      throw new Error(`the key of ${folder} is no more in the keychain; without ${path} a new one`)
    return decoded(value, 'the keychain')
  }

  async function choose(): Promise<Buffer> {
    const key = randomBytes(keyLength)
    const text = key.toString('base64')
    const entry = randomUUID()
    try {
      await within(firstMs, keychain.set(service, entry, text))
      if ((await within(firstMs, keychain.get(service, entry))) !== text)
        throw new Error('the keychain does not keep what it is given')
      replaceFile(file, `${marker}${entry}\n`)
    } catch (error) {
      replaceFile(file, `${text}\n`)
      onLog(`Tokens are encrypted with a key in ${file}: ${(error as Error).message}.`)
    }
    return key
  }

  return () => {
    known ??= find().catch((error: unknown) => {
      known = undefined
      throw error
    })
    return known
  }
}

function decoded(text: string, where: string): Buffer {
  const key = Buffer.from(text, 'base64')
  if (key.length !== keyLength) throw new Error(`the key in ${where} is damaged`)
  return key
}

function textOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return undefined
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0)
    throw new Error(`others can read ${path}; chmod 600 ${path}`)
  return readFileSync(path, 'utf8').trim()
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new Error(`the keychain did not answer within ${ms / 1000} s`)
    timer = setTimeout(() => reject(error), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
