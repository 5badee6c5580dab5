import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { replaceFile, withLock } from '#base/replace-file'
import { HttpEndpointError } from '../../protocol/http-endpoint-error.ts'
import { allScopes, type Scope } from '../principals/principal.ts'

const text = z.string().refine((value) => value !== '')
/** ISO 8601. */
const time = z.string().refine((value) => !Number.isNaN(Date.parse(value)))

/** A stored token, without the token itself. */
export const storedToken = z.object({
  /** Short; not a secret. */
  id: text,
  name: text,
  /** The only profile it is valid for. */
  profile: z.string().optional(),
  scopes: z.array(z.enum(allScopes)),
  createdAt: time,
  expiresAt: time.optional(),
  revokedAt: time.optional(),
  /** Accurate to the minute. */
  lastUsedAt: time.optional(),
  /** When its value was replaced. */
  rotatedAt: time.optional(),
  /** Until when the value before is valid too. */
  previousUntil: time.optional(),
})

export type StoredToken = z.output<typeof storedToken>

/** SHA-256 of a token, hexadecimal. */
const tokenHash = z.string().regex(/^[0-9a-f]{64}$/)

const tokenRecord = storedToken.extend({
  hash: tokenHash,
  /** Values before, the last one first, and when they end. */
  previous: z
    .array(z.object({ hash: tokenHash, until: time }))
    .max(20)
    .optional(),
})

export type TokenRecord = z.output<typeof tokenRecord>

/** Where tokens are stored. */
export interface TokenSource {
  /** For messages. */
  readonly name: string
  /** Changes with each change; undefined if there never was a token. Cheap. */
  stamp(): string | undefined
  /** An error if they cannot be trusted. */
  read(): readonly TokenRecord[] | Error | undefined
  /**
   * Changes the tokens under a lock, for which it waits for at most `maxWaitMs`.
   * @throws {HttpEndpointError} `damaged_tokens`, and what `edit` throws
   */
  change<T>(edit: (tokens: TokenRecord[]) => T, maxWaitMs?: number): T | Promise<T>
  /** Milliseconds between looks at `stamp`. */
  readonly lookEveryMs: number
}

/** Whether a token is valid at a time, in milliseconds since 1970. */
export const stateOf = (
  { revokedAt, expiresAt }: StoredToken,
  now: number,
): 'valid' | 'expired' | 'revoked' => {
  if (revokedAt !== undefined) return 'revoked'
  return expiresAt !== undefined && Date.parse(expiresAt) <= now ? 'expired' : 'valid'
}

const maxTokens = 1_000
const maxBytes = 1024 * 1024

/** The tokens of a file; undefined if it does not exist, an error if it cannot be trusted. */
function readTokens(path: string): readonly TokenRecord[] | Error | undefined {
  try {
    const { size, mode } = statSync(path)
    if (size > maxBytes) return new Error(`it has more than ${maxBytes} bytes`)
    if (process.platform !== 'win32' && (mode & 0o022) !== 0)
      return new Error('other users can write to it')
    const { tokens } = JSON.parse(readFileSync(path, 'utf8')) as { tokens: unknown }
    if (Array.isArray(tokens) && tokens.length <= maxTokens && tokens.every(isRecord)) return tokens
    return new Error('it is damaged')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    return new Error(code ?? 'it is damaged')
  }
}

/** @throws {HttpEndpointError} `damaged_tokens` */
export function readTrustedTokens({ name, read }: TokenSource): readonly TokenRecord[] {
  const tokens = read()
  if (tokens instanceof Error)
    throw new HttpEndpointError('damaged_tokens', `${name} cannot be used (${tokens.message}).`)
  return tokens ?? []
}

/** Tokens in a file, which is created with the first one. */
export function fileTokenSource(path: string): TokenSource {
  const source: TokenSource = {
    name: path,
    lookEveryMs: 1_000,
    stamp: () => stampOf(path),
    read: () => readTokens(path),
    change: (edit, maxWaitMs) => changeTokens(source, edit, maxWaitMs),
  }
  return source
}

/**
 * Changes the file, and creates it if it does not exist. Other processes wait, or this one does,
 * for at most `maxWaitMs`. @throws {HttpEndpointError} `damaged_tokens`, and what `edit` throws
 */
function changeTokens<T>(
  source: TokenSource,
  edit: (tokens: TokenRecord[]) => T,
  maxWaitMs?: number,
): T {
  const path = source.name
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const change = (): T => {
    const tokens = [...readTrustedTokens(source)]
    const result = edit(tokens)
    replaceFile(path, `${JSON.stringify({ tokens }, null, 1)}\n`)
    return result
  }
  return withLock(path, change, maxWaitMs)
}

function stampOf(path: string): string | undefined {
  try {
    const { mtimeMs, size, ino, mode } = statSync(path)
    return `${mtimeMs} ${size} ${ino} ${mode}`
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : 'unreadable'
  }
}

const isRecord = (value: unknown): value is TokenRecord => tokenRecord.safeParse(value).success

/** Name, profile, scopes and end of a token. */
export interface NewToken {
  name: string
  profile?: string | undefined
  scopes?: readonly Scope[] | undefined
  /** Milliseconds since 1970. */
  expiresAt?: number | undefined
}

/** Expired and revoked tokens are removed after this time. */
const rememberedMs = 90 * 86_400_000
const maxNameLength = 60

/** @throws {HttpEndpointError} `bad_token` */
export function checkNewToken({ name, profile, scopes, expiresAt }: NewToken, now: number): void {
  if (name.length > maxNameLength || !/^[\w.@ -]+$/.test(name))
    throw new HttpEndpointError(
      'bad_token',
      `The name ${JSON.stringify(name)} must consist of letters, digits, "_", "-", ".", "@" or blanks, and have at most ${maxNameLength} characters.`,
    )
  if (expiresAt !== undefined && !(expiresAt > now))
    throw new HttpEndpointError('bad_token', `${name}: the expiry time must be in the future.`)
  if (profile !== undefined && scopes?.some((scope) => scope !== 'mcp'))
    throw new HttpEndpointError(
      'bad_token',
      `${name}: the console shows all profiles. Leave out the profile ${profile} or the console scopes.`,
    )
}

/** Adds a token, and removes old ones. @throws {HttpEndpointError} `name_taken`, `bad_token` */
export function addToken(
  tokens: TokenRecord[],
  { name, profile, scopes = ['mcp'], expiresAt }: NewToken,
  hash: string,
  now: number,
): StoredToken {
  const recent = tokens.filter((token) => !isForgotten(token, now))
  if (recent.some((token) => token.name === name && stateOf(token, now) === 'valid'))
    throw new HttpEndpointError('name_taken', `There is already a token ${name}.`)
  if (recent.length >= maxTokens)
    throw new HttpEndpointError('bad_token', `There are already ${maxTokens} tokens.`)
  const record: TokenRecord = {
    id: newId(tokens),
    name,
    ...(profile !== undefined && { profile }),
    scopes: [...new Set(scopes)],
    createdAt: new Date(now).toISOString(),
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    hash,
  }
  tokens.splice(0, tokens.length, ...recent, record)
  return withoutHash(record)
}

/** Values before that are valid at the same time. */
const maxPrevious = 5

/** How the value of a token is replaced. */
export interface Rotation {
  /** Milliseconds for which the value before stays valid, at most to its end. */
  overlapMs: number
  /** Milliseconds since 1970. Default: as long from now as it was from its creation. */
  expiresAt?: number | undefined
}

/**
 * Replaces the value of a valid token, by its id or name. All else stays, so rules, sessions and the
 * journal go on. @throws {HttpEndpointError} `unknown_token`
 */
export function rotateToken(
  tokens: TokenRecord[],
  idOrName: string,
  { overlapMs, expiresAt }: Rotation,
  hash: string,
  now: number,
): StoredToken {
  const token = tokenCalled(tokens, idOrName, now)
  const state = stateOf(token, now)
  if (state !== 'valid')
    throw new HttpEndpointError('unknown_token', `The token ${token.name} is ${state}.`)
  const end = token.expiresAt === undefined ? undefined : Date.parse(token.expiresAt)
  const lifetimeMs = end && end - Date.parse(token.rotatedAt ?? token.createdAt)
  const nextEnd = expiresAt ?? (lifetimeMs && now + lifetimeMs)
  const ends = [now + overlapMs, end, nextEnd].filter((each) => each !== undefined)
  const until = new Date(Math.min(...ends)).toISOString()
  // Without an overlap, all of them have leaked.
  const earlier = overlapMs === 0 ? [] : (token.previous ?? [])
  const valid = earlier.filter((each) => Date.parse(each.until) > now).slice(0, maxPrevious - 1)
  const rotated: TokenRecord = {
    ...token,
    hash,
    previous: [{ hash: token.hash, until }, ...valid],
    previousUntil: until,
    rotatedAt: new Date(now).toISOString(),
    ...(nextEnd && { expiresAt: new Date(nextEnd).toISOString() }),
  }
  tokens[tokens.indexOf(token)] = rotated
  return withoutHash(rotated)
}

/**
 * By id, or by the name of a token that is not revoked. @throws {HttpEndpointError}
 * `unknown_token`
 */
export function revokeToken(tokens: TokenRecord[], idOrName: string, now: number): StoredToken {
  const token = tokenCalled(tokens, idOrName, now)
  const revoked = { ...token, revokedAt: new Date(now).toISOString() }
  tokens[tokens.indexOf(token)] = revoked
  return withoutHash(revoked)
}

function tokenCalled(tokens: readonly TokenRecord[], idOrName: string, now: number): TokenRecord {
  const candidates = tokens.filter(
    ({ id, name, revokedAt }) => revokedAt === undefined && (id === idOrName || name === idOrName),
  )
  // The name of an expired token may be in use again.
  const token = candidates.find((candidate) => stateOf(candidate, now) === 'valid') ?? candidates[0]
  if (token === undefined) {
    const safeName = JSON.stringify(idOrName.slice(0, maxNameLength))
    throw new HttpEndpointError('unknown_token', `There is no token ${safeName}.`)
  }
  return token
}

export const withoutHash = ({ hash: _hash, previous: _, ...token }: TokenRecord): StoredToken =>
  token

function isForgotten({ revokedAt, expiresAt }: StoredToken, now: number): boolean {
  const ended = revokedAt ?? expiresAt
  return ended !== undefined && now - Date.parse(ended) > rememberedMs
}

function newId(tokens: readonly StoredToken[]): string {
  for (;;) {
    const id = randomBytes(4).toString('hex')
    if (!tokens.some((token) => token.id === id || token.name === id)) return id
  }
}
