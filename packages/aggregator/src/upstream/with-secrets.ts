import type { Connect } from '#servers/connection/connection'
import type { Redactor } from '#servers/secrets/redactor'
import { lookUpSecrets, type SecretSources } from '#servers/secrets/secret-sources'

/** Looks up the references in a server's configuration at each start and redacts their values. */
export const withSecrets =
  (connect: Connect, sources: SecretSources, secrets: Redactor): Connect =>
  async (options) => {
    const { server, values } = await lookUpSecrets(options.server, sources, options.signal)
    secrets.learn(values, true)
    return connect({ ...options, server })
  }
