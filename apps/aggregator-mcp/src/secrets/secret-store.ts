import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Keychain } from '@pith-mcp/aggregator'
import { replaceFile } from '@pith-mcp/base/replace-file'
import { within } from '@pith-mcp/base/within'
import { UsageError } from '@pith-mcp/server-kit/settings'

/** Service of our entries in the keychain. */
const keychainService = 'pith'
/** The name of a secret there, or of its file. A brace would end the reference. */
const nameIn = (name: string): string => name.replace(/[^\w.@-]/g, '_')

/** Where secrets are stored that a configuration refers to. */
export interface SecretStore {
  /** For people: the keychain, or a folder. */
  where: string
  referenceTo(name: string): string
  /** @throws {UsageError} if it cannot be stored */
  store(name: string, value: string): Promise<void>
}

/** Milliseconds in which a keychain answers that can be used. */
const answerMs = 5_000

/**
 * The keychain of this computer; without one, as on most servers, files of the state folder that
 * only their owner can read. Looked for once.
 */
export function createSecretStore(
  keychain: Pick<Keychain, 'get' | 'set'>,
  state: string | false,
): () => Promise<SecretStore> {
  let opened: Promise<SecretStore> | undefined
  async function open(): Promise<SecretStore> {
    const look = within(answerMs, keychain.get(keychainService, 'look'), '')
    const isUsable = await look.then(
      () => true,
      () => false,
    )
    return isUsable ? ofKeychain(keychain) : ofFolder(state && join(state, 'secrets'))
  }
  return () => (opened ??= open())
}

const ofKeychain = (keychain: Pick<Keychain, 'set'>): SecretStore => ({
  where: 'the keychain',
  // A slash separates service and account.
  referenceTo: (name) => `\${keychain:${keychainService}/${nameIn(name)}}`,
  store: (name, value) =>
    keychain.set(keychainService, nameIn(name), value).catch(() => {
      throw new UsageError(
        'The keychain did not store the secret. Unlock it, or set a variable where the aggregator runs, and write ${NAME}.',
      )
    }),
})

function ofFolder(folder: string | false): SecretStore {
  const fileOf = (name: string): string => join(folder || '', nameIn(name))
  return {
    where: folder === false ? 'nowhere: there is no keychain, and no state folder' : folder,
    referenceTo: (name) => `\${file:${fileOf(name)}}`,
    async store(name, value) {
      if (folder === false)
        throw new UsageError(
          'There is no keychain here, and --no-state keeps no files. Set a variable where the aggregator runs, and write ${NAME}.',
        )
      await mkdir(folder, { recursive: true, mode: 0o700 })
      replaceFile(fileOf(name), value)
    },
  }
}
