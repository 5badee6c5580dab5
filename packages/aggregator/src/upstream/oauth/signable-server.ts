import type { HttpServer, ServerConfig } from '../../config/server-config.ts'
import { AggregatorError } from '../../protocol/aggregator-error.ts'
import { unitName } from '../../protocol/unit.ts'
import { lookUpSecrets, type SecretSources } from '../../secrets/secret-sources.ts'

/**
 * Resolves the secrets of a server's configuration.
 * @throws {AggregatorError} `bad_argument` for a server without sign-ins, `bad_config` for a server
 * with a problem
 */
export async function signableServer(
  server: ServerConfig,
  sources: SecretSources,
  signal: AbortSignal,
): Promise<{ server: HttpServer; values: string[] }> {
  if (server.type === 'stdio')
    throw new AggregatorError(
      'bad_argument',
      `${unitName(server)} is a command on this machine and has no sign-in.`,
      'Only servers with a url have sign-ins.',
    )
  if (server.problem !== undefined)
    throw new AggregatorError(
      'bad_config',
      `${unitName(server)} cannot be used with its configuration: ${server.problem}.`,
      'Correct the configuration or the environment.',
    )
  return lookUpSecrets(server, sources, signal)
}
