import { attempt } from '#base/attempt'
import type { ServerConfig } from '../config/server-config.ts'
import { isJsonObject } from '../protocol/message.ts'
import { type Redactor, tokenShapes } from './redactor.ts'

/** Names of variables, headers, options and parameters with secret values, in snake case. */
const secretName =
  /(?:^|[_-])(?:api)?(?:tokens?|keys?|secrets?|password|passwd|passphrase|pass|pwd|auth|authorization|credentials?|cookie|bearer|pat|dsn)(?:$|[_-])|(?:password|secret|apikey|accesstoken)$/i
/** Of these options, such as `--auth oauth2` and `--key name-2`, ordinary words are values, too. */
const weakName =
  /^(?!.*(?:api|secret|access|private))(?:(?:\w+[_-])?(?:auth|keys?|pass|pat|credentials?)$|auth[_-]|.*[_-]keys?[_-])/i
/** Exceptions: what is about a secret. */
const aboutSecrets =
  /[_-](?:header|ur[li]|endpoint|server|audience|issuer|realm|scopes?|name|file|path|dir|folder|sock|jar|config|id|type|mode|method|provider|policy|algorithm|format|version|host|user|email|prefix|column|field|index|count|budget|limit|size|length|ttl|minute|enabled|through)$|^(?:max|min|num|public|primary|foreign|sort|partition)[_-]/i

/** Of addresses, only parts are secret, and of files the content. */
const isPlace = (value: string): boolean =>
  /^(?:[a-z][\w+.-]*:\/\/|~?\.{0,2}[\\/]|[a-z]:[\\/])/i.test(value)

function isSecretFor(name: string, value: string): boolean {
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1_$2').replace(/^-+/, '')
  if (!secretName.test(words) || aboutSecrets.test(words) || isPlace(value)) return false
  if (/^\d+$/.test(value) && !/pass|pwd|secret/i.test(words)) return false
  const isWeak = name === name.toLowerCase() && weakName.test(words)
  return (looksRandom(value) || value.length >= 8) && !(isWeak && isOrdinary(value))
}

/** Whether a value is more than an ordinary word. */
export const looksRandom = (value: string): boolean => /\d/.test(value) || value.length >= 20

/** Words of two letters and more, capitals and numbers, in any order: `MyProject2Final`. */
const ordinary =
  /^(?:[A-Z]?[a-z]{2,}(?![a-z])|[A-Z]+(?![A-Z])|[a-z](?=[A-Z])|(?<=\d)[a-z](?=[A-Z])|\d+(?!\d))*$/
/** Characters of a word that is judged by its look. */
const maxWordLength = 500

const isOrdinary = (text: string): boolean =>
  text.length <= maxWordLength && text.split(/[-_.]/).every((part) => ordinary.test(part))

/** Whether a word without a name can hardly be anything but a secret. */
function looksSecret(word: string): boolean {
  if (word.length > maxWordLength) return false
  return word.split(/[-_]/).some((part) => {
    if (part.length < 8 || ordinary.test(part)) return false
    const kinds = [/[a-z]/, /[A-Z]/, /\d/].filter((kind) => kind.test(part)).length
    return kinds === 3 || (kinds === 2 && part.length >= 20 && !/^[\da-f]+$/i.test(part))
  })
}

/** In a path, a number or a name of letters and digits is rarely anything else. */
const isPathSecret = (part: string): boolean =>
  looksSecret(part) ||
  /^[\da-f-]{32,}$/i.test(part) ||
  (/^[a-z\d]{8,}$/.test(part) && /\d/.test(part) && !isOrdinary(part))

/** The name of a pair, and its value: `password=x`, `Authorization: Bearer x`, `Pwd=x;`. */
const pairs =
  /(?<![\w.-])([A-Za-z][\w.-]{0,80})["']?\s{0,3}[:=][ \t]{0,3}["']?(?:(?:Bearer|Basic|Token|ApiKey)\s+)?([^\s;,&"'}]+)/g
const basic = /\bBasic\s+([A-Za-z\d+/]{8,}={0,2})/g
/** `${NAME}` and lookups are no secrets; a default after `:-` may be one. */
const references = /\$\{(?:(?:env:)?[A-Za-z_]\w*(?::-([^}]*))?|(?:file|keychain|command):[^}]*)\}/g

/** Deeper JSON than that holds no secret that is found. */
const maxDepth = 8

interface Found {
  text: string
  /** By its name or place: it is redacted in results too. */
  isSure: boolean
}
const sure = (texts: readonly string[]): Found[] => texts.map((text) => ({ text, isSure: true }))

/** The secret parts of a text, by the name it has there, by their place in it, or by their look. */
function find(name: string | undefined, value: string, depth = 0): Found[] {
  const text = value.replace(references, (_, byDefault = '') => byDefault)
  const isNamed = name !== undefined && isSecretFor(name, text)
  const json = /^\s*[[{]/.test(text)
    ? attempt((): unknown => JSON.parse(text), undefined)
    : undefined
  const own = sure(isNamed ? [text, ...secretsOfList(text)] : [])
  if (json !== undefined && depth < maxDepth) return [...own, ...ofJson(json, depth, name)]
  const words = text.split(/[\s"'`,;()<>|{}]+/)
  const byLook = words.flatMap((word) => word.split(/[^\w-]+/)).filter(looksSecret)
  const inPairs = [...text.matchAll(pairs)].flatMap(([, key = '', of = '']) =>
    isSecretFor(key, of) ? [of] : [],
  )
  const inBasic = [...text.matchAll(basic)].map(([, code = '']) =>
    Buffer.from(code, 'base64')
      .toString()
      .replace(/^[^:]*:/, ''),
  )
  return [
    ...own,
    ...sure([...words.flatMap(secretsInUrl), ...inPairs, ...inBasic]),
    ...sure(text.match(tokenShapes) ?? []),
    // A named value, such as that of `--project`, may be an id that results need.
    ...byLook.map((word) => ({ text: word, isSure: isNamed || name === undefined })),
  ].filter((found) => found.text !== '')
}

/** The items of a secret that is a list, and what follows a user: `a,b`, `user:password`. */
const secretsOfList = (text: string): string[] =>
  text
    .split(/[\s,;]+/)
    .map((item) => (item.includes('=') ? '' : (item.split(/[:/]/).at(-1) ?? '')))
    .filter((item) => item !== text && item.length >= 6 && looksRandom(item))

function ofJson(json: unknown, depth: number, name?: string): Found[] {
  if (typeof json === 'string') return find(name, json, depth + 1)
  if (Array.isArray(json)) return json.flatMap((item) => ofJson(item, depth, name))
  if (!isJsonObject(json)) return []
  return Object.entries(json).flatMap(([key, item]) => ofJson(item, depth, key))
}

/** The password, a user, parts of the path and parameters. The first `=` may precede the address. */
function secretsInUrl(word: string): string[] {
  const [, address = ''] =
    /^(?:--?[\w-]+=|[\w.]+=)?(?:jdbc:)?([a-z][\w+.-]*:\/\/.+)$/is.exec(word) ?? []
  const [, bare = ''] = /^[^\s:@/=]+:([^\s@/]+)@(?!.*@)/.exec(word) ?? []
  // A socket has no host.
  const whole = address.replace('@/', '@localhost/')
  if (!URL.canParse(whole)) return looksRandom(bare) && !bare.includes('.') ? [bare] : []
  const { username, password, pathname, search, hash } = new URL(whole)
  const parameters = [...new URLSearchParams(search), ...new URLSearchParams(hash.slice(1))]
  const fromQuery = parameters.flatMap(([key, of]) => {
    if (of === '') return isPathSecret(key) ? [key] : []
    return isSecretFor(key, of) || /^(?:sig|code|signature)$/i.test(key) || isPathSecret(of)
      ? [of]
      : []
  })
  const fromPath = pathname.split(/[/:;=.]/).filter(isPathSecret)
  const isToken = looksRandom(username) && (looksSecret(username) || !password)
  const found = [password, ...(isToken ? [username] : []), ...fromPath, ...fromQuery]
  return [...found, ...found.map((text) => attempt(() => decodeURIComponent(text), text))]
}

function findInArgs(args: readonly string[]): Found[] {
  return args.flatMap((text, index) => {
    const [, option] = /^--?([\w-]+)$/.exec(args[index - 1] ?? '') ?? []
    const [, name, ofName = ''] = /^(?:--?)?([\w.-]+)=(.*)$/s.exec(text) ?? []
    const [before, value] =
      option !== undefined && !text.startsWith('--')
        ? [option, text]
        : name !== undefined
          ? [name, ofName]
          : [undefined, text]
    const isUser = /(?:^|[_-])(?:u|user|userpwd)$/i.test(before ?? '')
    const [, afterUser = ''] = (isUser && /^[^:\s]+:(.+)$/s.exec(value)) || []
    // A line for a shell, with options of its own.
    const words = text.split(/\s+/)
    const inner = words.length > 2 ? findInArgs(words) : []
    return [...find(before, value), ...sure(afterUser ? [afterUser] : []), ...inner]
  })
}

const unique = (found: readonly Found[]): string[] => [...new Set(found.map(({ text }) => text))]

/**
 * The parts of a text of a launch that are secret: by the name it has there, if it has one, by their
 * place in an address or a pair, or by their look. This is the only judge: masks, redaction, imports
 * and `doctor` ask it.
 */
export const secretsIn = (name: string | undefined, value: string): string[] =>
  unique(find(name, value))

/** The same of arguments: also the value after an option such as `--token`. */
export const secretsInArgs = (args: readonly string[]): string[] => unique(findInArgs(args))

/** All texts of a server's launch that are secret. */
function launchSecrets(server: ServerConfig): Found[] {
  const named = [...Object.entries(envOf(server)), ...inherited(server)]
  const { clientSecret, privateKey } = (server.type !== 'stdio' && server.oauth) || {}
  return [
    ...named.flatMap(([name, value]) => find(name, value)),
    ...(server.type === 'stdio'
      ? [...findInArgs([server.command, ...server.args]), ...find('cwd', server.cwd ?? '')]
      : find(undefined, server.url)),
    ...sure([clientSecret, privateKey].filter((secret) => secret !== undefined)),
  ]
}

/** Values that are redacted in logs. */
export function secretsOf(server: ServerConfig): string[] {
  return [...Object.values(envOf(server)), ...server.variables, ...unique(launchSecrets(server))]
}

/** Variables of this process that a sandbox lets through. */
const inherited = (server: ServerConfig): [string, string][] =>
  server.type === 'stdio' ? Object.entries(server.sandbox?.env ?? {}) : []

const envOf = (server: ServerConfig): Readonly<Record<string, string>> =>
  server.type === 'stdio' ? server.env : server.headers

/** What is surely secret is redacted in results too, unless it is an ordinary word. */
export function learnSecrets(secrets: Redactor, servers: Iterable<ServerConfig>): void {
  for (const server of servers) {
    secrets.learn(secretsOf(server))
    const sureOnes = launchSecrets(server).filter(({ isSure }) => isSure)
    secrets.learn(unique(sureOnes).filter(looksRandom), true)
  }
}
