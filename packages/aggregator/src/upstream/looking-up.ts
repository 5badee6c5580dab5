import { lookUpSecrets, type SecretSources } from '../secrets/secret-sources.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { Connect } from './connection/connection.ts'

/** What references stand for is looked up at each start, and known to nobody else. */
export const lookingUp =
  (connect: Connect, sources: SecretSources, secrets: Secrets): Connect =>
  async (options) => {
    const { server, values } = await lookUpSecrets(options.server, sources, options.signal)
    secrets.learn(values, true)
    return connect({ ...options, server })
  }
