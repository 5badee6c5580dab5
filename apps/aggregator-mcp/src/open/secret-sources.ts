import {
  commandSecret,
  createKeychain,
  fileSecret,
  keychainSecret,
  type SecretSources,
} from '@pith-mcp/aggregator'

/** Sources of secrets, which are resolved when a server starts. */
export const secretSources: SecretSources = {
  file: fileSecret,
  command: commandSecret,
  keychain: keychainSecret(createKeychain()),
}
