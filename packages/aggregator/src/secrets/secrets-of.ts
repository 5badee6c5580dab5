import type { ServerConfig } from '../config/server-config.ts'
import type { Secrets } from './secrets.ts'

/** Names of variables and headers whose values nobody shows, and those that only sound like it. */
const secretName =
  /(?:^|[_-])(?:api)?(?:tokens?|keys?|secrets?|password|passwd|pass|pwd|auth|authorization|credentials?|cookie|bearer|pat|dsn)(?:$|[_-])/i
const aboutSecrets = /[_-](?:header|url|uri|name|file|path|id|type|mode|host|user|email|prefix)$/i

/** Words that are said anyway are no secrets, whatever they stand for. */
const looksRandom = (value: string): boolean => /\d/.test(value) || value.length >= 20

/** A password in an address. */
const withPassword = /^[a-z][\w+.-]*:\/\/[^/\s:]*:[^/\s@]+@/i

/** Values that must not be seen in logs. */
export function secretsOf(server: ServerConfig): string[] {
  return [...Object.values(envOf(server)), ...server.variables, ...secretArgs(server)]
}

/** Those that are secret beyond doubt, and must not be seen in results either. */
function sureSecretsOf(server: ServerConfig): string[] {
  const named = [...Object.entries(envOf(server)), ...inherited(server)].flatMap(([name, value]) =>
    isSecret(name, value) ? [value] : [],
  )
  const secret = server.type === 'stdio' ? undefined : server.oauth?.clientSecret
  return secret === undefined ? named : [...named, secret]
}

const isSecret = (name: string, value: string): boolean =>
  withPassword.test(value) ||
  (secretName.test(name) && !aboutSecrets.test(name) && looksRandom(value))

/** `--token x` and `--token=x`. */
function secretArgs(server: ServerConfig): string[] {
  if (server.type !== 'stdio') return []
  return server.args.flatMap((text, index) => {
    const [, name = '', , value] = /^--?([\w-]+)(=(.*))?$/s.exec(text) ?? []
    if (!secretName.test(name)) return []
    return value ?? server.args[index + 1] ?? []
  })
}

/** What a sandbox lets through of ours. */
const inherited = (server: ServerConfig): [string, string][] =>
  server.type === 'stdio' ? Object.entries(server.sandbox?.env ?? {}) : []

const envOf = (server: ServerConfig): Readonly<Record<string, string>> =>
  server.type === 'stdio' ? server.env : server.headers

export function learnSecrets(secrets: Secrets, servers: Iterable<ServerConfig>): void {
  for (const server of servers) {
    secrets.learn(secretsOf(server))
    secrets.learn(sureSecretsOf(server), true)
  }
}
