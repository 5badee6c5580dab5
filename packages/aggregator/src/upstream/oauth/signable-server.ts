import type { HttpServer, ServerConfig } from '../../config/server-config.ts'
import { AggregatorError } from '../../protocol/aggregator-error.ts'
import { unitName } from '../../protocol/unit.ts'
import { lookUpSecrets, type SecretSources } from '../../secrets/secret-sources.ts'

/** A server as it is reached, with what was looked up. @throws {AggregatorError} for one without sign-ins */
export async function signableServer(
  server: ServerConfig,
  sources: SecretSources,
  signal: AbortSignal,
): Promise<{ server: HttpServer; values: string[] }> {
  if (server.type === 'stdio')
    throw new AggregatorError(
      'bad_argument',
      `${unitName(server)} is a command on this machine: there is nothing to sign in at.`,
      'Servers with a url have sign-ins.',
    )
  if (server.problem !== undefined)
    throw new AggregatorError(
      'bad_config',
      `${unitName(server)} cannot be used as it is configured: ${server.problem}.`,
      'Mend the configuration or the environment.',
    )
  return lookUpSecrets(server, sources, signal)
}
