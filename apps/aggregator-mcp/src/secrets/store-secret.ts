import type { Keychain } from '@pith-mcp/aggregator'
import { UsageError } from '@pith-mcp/server-kit/settings'

/** Service of our entries in the keychain. */
const service = 'pith'

/** What a configuration has in place of a secret. A slash separates service and account. */
export const referenceTo = (name: string): string => `\${keychain:${service}/${accountOf(name)}}`

/** A brace would end the reference. */
const accountOf = (name: string): string => name.replace(/[^\w.@-]/g, '_')

/**
 * Stores a secret in the keychain of this computer. Resolves to the reference to it.
 * @throws {UsageError} without a keychain
 */
export async function storeSecret(
  name: string,
  value: string,
  keychain: Pick<Keychain, 'set'>,
): Promise<string> {
  await keychain.set(service, accountOf(name), value).catch((error: Error) => {
    throw new UsageError(
      `The secret was not stored: ${error.message.replace(/\.$/, '')}. Without a keychain, set a variable where the aggregator runs, and write \${NAME}.`,
    )
  })
  return referenceTo(name)
}
