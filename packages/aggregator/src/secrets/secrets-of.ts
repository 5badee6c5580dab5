import type { ServerConfig } from '../config/server-config.ts'
import type { Secrets } from './secrets.ts'

/** Names of variables and headers whose values nobody shows. */
const secretName =
  /token|key|secret|passw|pwd|auth|credential|cookie|bearer|_pat$|dsn|connection_?string/i
/** A password in an address. */
const withPassword = /^[a-z][\w+.-]*:\/\/[^/\s:]*:[^/\s@]+@/i

/** Values that must not be seen in logs. */
export function secretsOf(server: ServerConfig): string[] {
  return [...Object.values(envOf(server)), ...server.variables]
}

/** Those that are secret beyond doubt, and must not be seen in results either. */
function sureSecretsOf(server: ServerConfig): string[] {
  const named = Object.entries(envOf(server)).flatMap(([name, value]) =>
    secretName.test(name) || withPassword.test(value) ? [value] : [],
  )
  const secret = server.type === 'stdio' ? undefined : server.oauth?.clientSecret
  return secret === undefined ? named : [...named, secret]
}

const envOf = (server: ServerConfig): Readonly<Record<string, string>> =>
  server.type === 'stdio' ? server.env : server.headers

export function learnSecrets(secrets: Secrets, servers: Iterable<ServerConfig>): void {
  for (const server of servers) {
    secrets.learn(secretsOf(server))
    secrets.learn(sureSecretsOf(server), true)
  }
}
