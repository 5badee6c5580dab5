import { chmodSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '#base/replace-file'
import { encrypt, open } from '#servers/secrets/encrypt'
import { type Credential, type CredentialKey, credential, nameOfKey } from './credential.ts'
import { lock, noteOf, tryLock } from './process-lock.ts'
import type { TokenStore } from './token-store.ts'

/** Folder and key of encrypted token files. */
export interface FileTokenStoreOptions {
  folder: string
  /** Resolves to 32 bytes. */
  getKey(): Promise<Buffer>
  onLog?: ((text: string) => void) | undefined
}

/** A refresh runs under the lock and can take this long. */
const maxWaitMs = 60_000

/**
 * One encrypted file per credential, replaced atomically. A file that cannot be decrypted counts as
 * missing: the next sign-in replaces it.
 */
export function createFileTokenStore(options: FileTokenStoreOptions): TokenStore {
  const { folder, getKey, onLog = () => {} } = options
  const fileOf = (key: CredentialKey): string => join(folder, `${nameOfKey(key)}.sealed`)
  const purposeOf = ({ unit, address }: CredentialKey): string => JSON.stringify([unit, address])
  /** Decrypted files: each request reads its credential. */
  const opened = new Map<string, { version: string; credential: Credential | undefined }>()

  function prepareFolder(): void {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chmodSync(folder, 0o700)
  }

  async function read(key: CredentialKey): Promise<Credential | undefined> {
    const file = fileOf(key)
    const version = versionOf(file)
    if (version === undefined) return undefined
    const cached = opened.get(file)
    if (cached?.version === version) return cached.credential
    const contents = await openFile(file, key)
    opened.set(file, { version, credential: contents })
    return contents
  }

  async function openFile(file: string, key: CredentialKey): Promise<Credential | undefined> {
    // A key that is temporarily unavailable must not count as a damaged file.
    const secret = await getKey()
    try {
      return credential.parse(JSON.parse(open(readFileSync(file, 'utf8'), secret, purposeOf(key))))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        onLog(`${file} cannot be decrypted; ${key.unit} needs a new sign-in.`)
      return undefined
    }
  }

  return {
    read,
    async change(key, edit) {
      prepareFolder()
      const file = fileOf(key)
      const fileLock = await lock(`${file}.held`, maxWaitMs)
      try {
        const current = await read(key)
        const next = await edit(current)
        if (next === current) return current
        // The process that took over the lock has newer data.
        if (!fileLock.isHeld()) return await read(key)
        if (next === undefined) rmSync(file, { force: true })
        else replaceFile(file, encrypt(JSON.stringify(next), await getKey(), purposeOf(key)))
        return next
      } finally {
        fileLock.release()
      }
    },
    async remove(key) {
      if (versionOf(fileOf(key)) === undefined) return
      const fileLock = await lock(`${fileOf(key)}.held`, maxWaitMs)
      rmSync(fileOf(key), { force: true })
      fileLock.release()
    },
    async claimSignIn(key) {
      prepareFolder()
      const path = `${fileOf(key)}.sign-in`
      const fileLock = tryLock(path)
      if (fileLock === undefined) {
        const [pid, url] = noteOf(path).split('\n')
        return { elsewhere: { pid: Number(pid) || 0, url: url || undefined } }
      }
      fileLock.note(String(process.pid))
      const claim = {
        log: (url: string) => fileLock.note(`${process.pid}\n${url}`),
        release: fileLock.release,
      }
      return { claim }
    },
  }
}

/** Changes whenever the file is replaced. */
function versionOf(file: string): string | undefined {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stats && `${stats.ino} ${stats.mtimeNs} ${stats.size}`
}
