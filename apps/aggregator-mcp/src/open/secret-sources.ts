import {
  commandSecret,
  createKeychain,
  fileSecret,
  keychainSecret,
  type SecretSources,
} from '@pith-mcp/aggregator'

/** Where what is secret is looked up when a server starts. */
export const secretSources: SecretSources = {
  file: fileSecret,
  command: commandSecret,
  keychain: keychainSecret(createKeychain()),
}
