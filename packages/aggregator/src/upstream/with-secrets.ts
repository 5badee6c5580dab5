import type { Redactor } from '../secrets/redactor.ts'
import { lookUpSecrets, type SecretSources } from '../secrets/secret-sources.ts'
import type { Connect } from './connection/connection.ts'

/** Looks up the references in a server's configuration at each start and redacts their values. */
export const withSecrets =
  (connect: Connect, sources: SecretSources, secrets: Redactor): Connect =>
  async (options) => {
    const { server, values } = await lookUpSecrets(options.server, sources, options.signal)
    secrets.learn(values, true)
    return connect({ ...options, server })
  }
