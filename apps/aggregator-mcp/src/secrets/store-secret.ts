import type { Keychain } from '@pith-mcp/aggregator'
import { UsageError } from '@pith-mcp/server-kit/settings'

/** The reference to a stored secret, for the configuration. */
export const storedReference = (name: string): string =>
  `\${keychain:pith/${encodeURIComponent(name)}}`

/**
 * Stores a secret in the keychain of this machine. Resolves to its reference.
 * @throws {UsageError} without a keychain
 */
export async function storeSecret(
  keychain: Pick<Keychain, 'set'>,
  name: string,
  value: string,
): Promise<string> {
  await keychain.set('pith', encodeURIComponent(name), value).catch(({ message }: Error) => {
    throw new UsageError(
      `The secret cannot be stored, since ${message}. Set a variable for the aggregator, and enter its name, such as \${VARIABLE}.`,
    )
  })
  return storedReference(name)
}
