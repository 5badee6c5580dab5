import { chmodSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { lock, noteOf, tryLock } from '../../files/process-lock.ts'
import { replaceFile } from '../../files/replace-file.ts'
import { type Credential, type CredentialKey, credential, nameOfKey } from './credential.ts'
import { open, seal } from './seal.ts'
import type { TokenStore } from './token-store.ts'

export interface FileTokenStoreOptions {
  folder: string
  /** 32 bytes. */
  getKey(): Promise<Buffer>
  onLog?: ((text: string) => void) | undefined
}

/** A refresh is done under the lock, and takes its time. */
const longestWaitMs = 60_000

/**
 * An encrypted file for each credential, replaced whole. A file that cannot be opened counts as
 * none: the next sign-in replaces it.
 */
export function createFileTokenStore(options: FileTokenStoreOptions): TokenStore {
  const { folder, getKey, onLog = () => {} } = options
  const fileOf = (key: CredentialKey): string => join(folder, `${nameOfKey(key)}.sealed`)
  const purposeOf = ({ unit, address }: CredentialKey): string => JSON.stringify([unit, address])
  /** Read at every request of a server, so not opened again while it stays as it is. */
  const opened = new Map<string, { version: string; credential: Credential | undefined }>()

  function prepareFolder(): void {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chmodSync(folder, 0o700)
  }

  async function read(key: CredentialKey): Promise<Credential | undefined> {
    const file = fileOf(key)
    const version = versionOf(file)
    if (version === undefined) return undefined
    const known = opened.get(file)
    if (known?.version === version) return known.credential
    const found = await openFile(file, key)
    opened.set(file, { version, credential: found })
    return found
  }

  async function openFile(file: string, key: CredentialKey): Promise<Credential | undefined> {
    // Not to be had for now is not damaged.
    const secret = await getKey()
    try {
      return credential.parse(JSON.parse(open(readFileSync(file, 'utf8'), secret, purposeOf(key))))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        onLog(`${file} cannot be opened; ${key.unit} needs a new sign-in.`)
      return undefined
    }
  }

  return {
    read,
    async change(key, edit) {
      prepareFolder()
      const file = fileOf(key)
      const held = await lock(`${file}.held`, longestWaitMs)
      try {
        const kept = await read(key)
        const next = await edit(kept)
        if (next === kept) return kept
        // Whoever took the lock over meanwhile has what is newer.
        if (!held.isHeld()) return await read(key)
        if (next === undefined) rmSync(file, { force: true })
        else replaceFile(file, seal(JSON.stringify(next), await getKey(), purposeOf(key)))
        return next
      } finally {
        held.release()
      }
    },
    async remove(key) {
      if (versionOf(fileOf(key)) === undefined) return
      const held = await lock(`${fileOf(key)}.held`, longestWaitMs)
      rmSync(fileOf(key), { force: true })
      held.release()
    },
    async claimSignIn(key) {
      prepareFolder()
      const path = `${fileOf(key)}.sign-in`
      const held = tryLock(path)
      if (held === undefined) {
        const [pid, url] = noteOf(path).split('\n')
        return { elsewhere: { pid: Number(pid) || 0, url: url || undefined } }
      }
      held.note(String(process.pid))
      const claim = {
        tell: (url: string) => held.note(`${process.pid}\n${url}`),
        release: held.release,
      }
      return { claim }
    },
  }
}

/** A file that is replaced is another one. */
function versionOf(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found && `${found.ino} ${found.mtimeNs} ${found.size}`
}
