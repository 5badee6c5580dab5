import type { Keychain } from '@pith-mcp/aggregator'
import { keychainName, keychainService, referenceTo } from '@pith-mcp/base/keychain-reference'
import { UsageError } from '@pith-mcp/server-kit/settings'

/**
 * Stores a secret in the keychain of this computer. Resolves to the reference to it.
 * @throws {UsageError} without a keychain
 */
export async function storeSecret(
  name: string,
  value: string,
  keychain: Pick<Keychain, 'set'>,
): Promise<string> {
  await keychain.set(keychainService, keychainName(name), value).catch((error: Error) => {
    throw new UsageError(
      `The secret was not stored: ${error.message.replace(/\.$/, '')}. Without a keychain, set a variable where the aggregator runs, and write \${NAME}.`,
    )
  })
  return referenceTo(name)
}
