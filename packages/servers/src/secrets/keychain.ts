import type { AsyncEntry } from '@napi-rs/keyring'
import type { SecretSource } from './secret-sources.ts'

/** The operating system's password store, by service and account. */
export type Keychain = ReturnType<typeof createKeychain>

/** The native module is loaded at the first use; a rejection says why that failed. */
export function createKeychain() {
  async function using<T>(
    service: string,
    account: string,
    work: (entry: AsyncEntry) => Promise<T>,
  ): Promise<T> {
    const { AsyncEntry } = await import('@napi-rs/keyring').catch(() => {
      throw new Error('there is no keychain on this machine')
    })
    // Without this it falls back to the kernel's keyring, which stores values before it fails.
    const entry = new AsyncEntry(service, account, { linux: { store: 'secret-service' } })
    // Its words are those of D-Bus.
    return work(entry).catch(() => {
      throw new Error('there is no keychain that can be used')
    })
  }
  return {
    /** Resolves to undefined if there is no such entry. Rejects if there is no keychain. */
    get: async (service: string, account: string) =>
      (await using(service, account, (entry) => entry.getPassword())) ?? undefined,
    set: (service: string, account: string, value: string) =>
      using(service, account, (entry) => entry.setPassword(value)),
    async remove(service: string, account: string) {
      await using(service, account, (entry) => entry.deletePassword())
    },
  }
}

/** `${keychain:service/account}`; without an account: `default`. */
export const keychainSecret =
  (keychain: Keychain): SecretSource =>
  async (name) => {
    const at = name.lastIndexOf('/')
    const service = at < 0 ? name : name.slice(0, at)
    const account = at < 0 ? 'default' : name.slice(at + 1)
    const value = await keychain.get(service, account).catch((error: Error) => {
      throw new Error(`\${keychain:${name}}: ${error.message}`)
    })
    if (value === undefined) throw new Error(`\${keychain:${name}}: the keychain has no such entry`)
    return value
  }
