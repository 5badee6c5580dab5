import type { ServerConfig } from '../config/server-config.ts'
import type { Redactor } from './redactor.ts'

/** Names of variables and headers whose values are secret; `aboutSecrets` are exceptions. */
const secretName =
  /(?:^|[_-])(?:api)?(?:tokens?|keys?|secrets?|password|passwd|pass|pwd|auth|authorization|credentials?|cookie|bearer|pat|dsn)(?:$|[_-])/i
const aboutSecrets = /[_-](?:header|url|uri|name|file|path|id|type|mode|host|user|email|prefix)$/i

/** Whether a value looks like a secret. An ordinary word does not, whatever its variable is called. */
/** Whether a value is more than an ordinary word. */
export const looksRandom = (value: string): boolean => /\d/.test(value) || value.length >= 20

/** A URL with a password. */
const withPassword = /^[a-z][\w+.-]*:\/\/[^/\s:]*:[^/\s@]+@/i

/** Values that are redacted in logs. */
export function secretsOf(server: ServerConfig): string[] {
  return [...Object.values(envOf(server)), ...server.variables, ...argsOf(server)]
}

/** Values that are certainly secret: they are redacted in results too. */
function sureSecretsOf(server: ServerConfig): string[] {
  const vars = [...Object.entries(envOf(server)), ...inherited(server)].flatMap(([name, value]) =>
    isSecret(name, value) ? [value] : [],
  )
  const { clientSecret, privateKey } = (server.type !== 'stdio' && server.oauth) || {}
  return [...vars, ...[clientSecret, privateKey].filter((secret) => secret !== undefined)]
}

const isSecret = (name: string, value: string): boolean =>
  withPassword.test(value) ||
  (secretName.test(name) && !aboutSecrets.test(name) && looksRandom(value))

const argsOf = (server: ServerConfig): string[] =>
  server.type === 'stdio' ? secretsInArgs(server.args) : []

/** The values of `--token x` and `--token=x`. */
export const secretsInArgs = (args: readonly string[]): string[] =>
  args.flatMap((text, index) => {
    const [, name = '', , value] = /^--?([\w-]+)(=(.*))?$/s.exec(text) ?? []
    if (!secretName.test(name)) return []
    return value ?? args[index + 1] ?? []
  })

/** Variables of this process that a sandbox lets through. */
const inherited = (server: ServerConfig): [string, string][] =>
  server.type === 'stdio' ? Object.entries(server.sandbox?.env ?? {}) : []

const envOf = (server: ServerConfig): Readonly<Record<string, string>> =>
  server.type === 'stdio' ? server.env : server.headers

export function learnSecrets(secrets: Redactor, servers: Iterable<ServerConfig>): void {
  for (const server of servers) {
    secrets.learn(secretsOf(server))
    secrets.learn(sureSecretsOf(server), true)
  }
}
