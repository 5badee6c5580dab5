import { attempt } from '#base/attempt'
import type { ServerConfig } from '../config/server-config.ts'
import { isJsonObject } from '../protocol/message.ts'
import { type Redactor, tokenShapes } from './redactor.ts'

/** Names of variables, headers, options and parameters with secret values, in snake case. */
const secretName =
  /(?:^|[_-])(?:api)?(?:tokens?|keys?|secrets?|password|passwd|passphrase|pass|pwd|auth|authorization|credentials?|cookie|bearer|pat|dsn)(?:$|[_-])|(?:password|secret|apikey|accesstoken)$/i
/** Exceptions: what is about a secret, and numbers of tokens. */
const aboutSecrets =
  /[_-](?:header|url|uri|name|file|path|id|type|mode|host|user|email|prefix)$|^(?:max|min|num|public)[_-]/i

const isSecretName = (name: string): boolean => {
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1_$2').replace(/^-+/, '')
  return secretName.test(words) && !aboutSecrets.test(words)
}

/** Whether a value is more than an ordinary word. */
export const looksRandom = (value: string): boolean => /\d/.test(value) || value.length >= 20

/** Not a short word such as `basic`, whatever its name says. */
const mayBeSecret = (value: string): boolean => looksRandom(value) || value.length >= 8

/** Whether a word without a name can hardly be anything but a secret. */
function looksSecret(word: string): boolean {
  if (!/^[\w~+=-]{8,}$/.test(word)) return false
  const parts = word.split(/[-_]/)
  // Words with a number at their end are names: `Project2025`, `X-Header-2`.
  if (parts.every((part) => /^[A-Za-z]{0,19}\d{0,6}$/.test(part))) return false
  const isMixed = /[a-z]/.test(word) && /[A-Z]/.test(word) && /\d/.test(word)
  return isMixed || parts.some((part) => part.length >= 12 && isCode(part))
}

const isCode = (text: string): boolean => /\d/.test(text) && /[a-z]/i.test(text)

/** The name of a pair, and its value: `password=x`, `Authorization: Bearer x`, `Pwd=x;`. */
const pairs = /([A-Za-z][\w.-]*)["']?(?::\s*|=)["']?(?:(?:Bearer|Basic|Token)\s+)?([^\s;,&"'}]+)/g

/** Deeper JSON than that holds no secret that is found. */
const maxDepth = 8

/**
 * The parts of a text of a launch that are secret: by the name it has there, if it has one, by its
 * place in an address or a pair, or by its look. This is the only judge: masks, redaction, imports
 * and `doctor` ask it.
 */
export function secretsIn(name: string | undefined, value: string, depth = 0): string[] {
  if (name !== undefined && isSecretName(name) && mayBeSecret(value)) return [value]
  const json = /^\s*[[{]/.test(value)
    ? attempt((): unknown => JSON.parse(value), undefined)
    : undefined
  if (json !== undefined && depth < maxDepth) return textsOf(json, depth)
  const words = value.split(/[\s"'`,;]+/)
  return [
    ...words.flatMap((word) => [...secretsInUrl(word), ...(looksSecret(word) ? [word] : [])]),
    ...[...value.matchAll(pairs)].flatMap(([, key = '', of = '']) =>
      isSecretName(key) && mayBeSecret(of) ? [of] : [],
    ),
    ...(value.match(tokenShapes) ?? []),
  ].filter((secret) => !secret.includes('${'))
}

function textsOf(json: unknown, depth: number, name?: string): string[] {
  if (typeof json === 'string') return secretsIn(name, json, depth + 1)
  if (Array.isArray(json)) return json.flatMap((item) => textsOf(item, depth, name))
  if (!isJsonObject(json)) return []
  return Object.entries(json).flatMap(([key, item]) => textsOf(item, depth, key))
}

/** The password, a user, parts of the path and parameters. The first `=` may precede the address. */
function secretsInUrl(word: string): string[] {
  const [, address = ''] =
    /^(?:--?[\w-]+=|[\w.]+=)?(?:jdbc:)?([a-z][\w+.-]*:\/\/.+)$/is.exec(word) ?? []
  const [, bare = ''] = /^[^\s:@/=]+:([^\s@/]+)@/.exec(word) ?? []
  if (!URL.canParse(address)) return bare ? [bare] : []
  const { username, password, pathname, search, hash } = new URL(address)
  const fromPath = pathname.split('/').filter(looksSecret)
  const parameters = [...new URLSearchParams(search), ...new URLSearchParams(hash.slice(1))]
  const fromQuery = parameters.flatMap(([key, of]) =>
    isSecretName(key) || looksSecret(of) ? [of] : [],
  )
  const fromUser = looksRandom(username) && (looksSecret(username) || !password) ? [username] : []
  const found = [password, ...fromUser, ...fromPath, ...fromQuery].filter(Boolean)
  return [...found, ...found.map((text) => attempt(() => decodeURIComponent(text), text))]
}

/** The secret parts of arguments: also the value after an option such as `--token`. */
export const secretsInArgs = (args: readonly string[]): string[] =>
  args.flatMap((text, index) => {
    const [, option] = /^--?([\w-]+)$/.exec(args[index - 1] ?? '') ?? []
    const isValue = option !== undefined && isSecretName(option) && !text.startsWith('--')
    const [, name, ofName = ''] = /^(?:--?)?([\w.-]+)=(.*)$/s.exec(text) ?? []
    if (isValue && mayBeSecret(text) && !text.includes('${')) return [text]
    return name === undefined ? secretsIn(undefined, text) : secretsIn(name, ofName)
  })

/** All texts of a server's launch that are secret. */
function launchSecrets(server: ServerConfig): string[] {
  const named = [...Object.entries(envOf(server)), ...inherited(server)]
  const { clientSecret, privateKey } = (server.type !== 'stdio' && server.oauth) || {}
  return [
    ...named.flatMap(([name, value]) => secretsIn(name, value)),
    ...(server.type === 'stdio' ? secretsInArgs(server.args) : secretsIn(undefined, server.url)),
    ...[clientSecret, privateKey].filter((secret) => secret !== undefined),
  ]
}

/** Values that are redacted in logs. */
export function secretsOf(server: ServerConfig): string[] {
  return [...Object.values(envOf(server)), ...server.variables, ...launchSecrets(server)]
}

/** Variables of this process that a sandbox lets through. */
const inherited = (server: ServerConfig): [string, string][] =>
  server.type === 'stdio' ? Object.entries(server.sandbox?.env ?? {}) : []

const envOf = (server: ServerConfig): Readonly<Record<string, string>> =>
  server.type === 'stdio' ? server.env : server.headers

/** What is judged a secret is redacted in results too, unless it is an ordinary word. */
export function learnSecrets(secrets: Redactor, servers: Iterable<ServerConfig>): void {
  for (const server of servers) {
    secrets.learn(secretsOf(server))
    secrets.learn(launchSecrets(server).filter(looksRandom), true)
  }
}
