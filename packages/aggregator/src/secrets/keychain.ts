import type { SecretSource } from './secret-sources.ts'

/** The passwords of the operating system, by service and account. */
export interface Keychain {
  /** Undefined for one that is not there. Rejects where there is no keychain. */
  get(service: string, account: string): Promise<string | undefined>
  set(service: string, account: string, value: string): Promise<void>
  remove(service: string, account: string): Promise<void>
}

/** Loaded when it is needed; where it cannot be, the reason says so. */
export function createKeychain(): Keychain {
  const entryOf = async (service: string, account: string) => {
    const { AsyncEntry } = await import('@napi-rs/keyring').catch((error: Error) => {
      throw new Error(`there is no keychain here: ${firstLine(error)}`)
    })
    // Else it falls back to keyrings of the kernel, which writes before it fails.
    return new AsyncEntry(service, account, { linux: { store: 'secret-service' } })
  }
  const unlessNone = async <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: Error) => {
      throw new Error(`the keychain cannot be used: ${firstLine(error)}`)
    })
  return {
    async get(service, account) {
      const entry = await entryOf(service, account)
      return (await unlessNone(entry.getPassword())) ?? undefined
    },
    async set(service, account, value) {
      const entry = await entryOf(service, account)
      await unlessNone(entry.setPassword(value))
    },
    async remove(service, account) {
      const entry = await entryOf(service, account)
      await unlessNone(entry.deletePassword())
    },
  }
}

const firstLine = ({ message }: Error): string => message.split('\n', 1)[0] ?? ''

/** `${keychain:service/account}`. */
export const keychainSecret =
  (keychain: Keychain): SecretSource =>
  async (name) => {
    const at = name.lastIndexOf('/')
    const service = at < 0 ? name : name.slice(0, at)
    const account = at < 0 ? 'default' : name.slice(at + 1)
    const value = await keychain.get(service, account).catch((error: Error) => {
      throw new Error(`\${keychain:${name}}: ${error.message}`)
    })
    if (value === undefined) throw new Error(`\${keychain:${name}}: there is no such entry`)
    return value
  }
