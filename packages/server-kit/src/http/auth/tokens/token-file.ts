import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { replaceFile, withLock } from '../../../files/replace-file.ts'
import { HttpEndpointError } from '../../protocol/http-endpoint-error.ts'
import { allScopes, type Scope } from '../principals/principal.ts'

/** A stored token, without the token itself. Times are ISO 8601. */
export interface StoredToken {
  /** Short; not a secret. */
  readonly id: string
  readonly name: string
  /** The only profile it is valid for. */
  readonly profile?: string | undefined
  readonly scopes: readonly Scope[]
  readonly createdAt: string
  readonly expiresAt?: string | undefined
  readonly revokedAt?: string | undefined
  /** Accurate to the minute. */
  readonly lastUsedAt?: string | undefined
}

export interface TokenRecord extends StoredToken {
  /** SHA-256 of the token, hexadecimal. */
  readonly hash: string
}

/** Whether a token is valid at a time, in milliseconds since 1970. */
export const stateOf = (
  { revokedAt, expiresAt }: StoredToken,
  now: number,
): 'active' | 'expired' | 'revoked' => {
  if (revokedAt !== undefined) return 'revoked'
  return expiresAt !== undefined && Date.parse(expiresAt) <= now ? 'expired' : 'active'
}

export const maxTokens = 1_000
const maxBytes = 1024 * 1024

/** The tokens of a file; undefined if it does not exist, an error if it cannot be trusted. */
export function readTokens(path: string): readonly TokenRecord[] | Error | undefined {
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

/** The tokens of a file. @throws {HttpEndpointError} `damaged_tokens` */
export function readTrustedTokens(path: string): readonly TokenRecord[] {
  const read = readTokens(path)
  if (read instanceof Error)
    throw new HttpEndpointError('damaged_tokens', `${path} cannot be used (${read.message}).`)
  return read ?? []
}

/**
 * Changes the file, and creates it if it does not exist. Other processes wait, or this one does,
 * for at most `maxWaitMs`. @throws {HttpEndpointError} `damaged_tokens`, and what `edit` throws
 */
export function changeTokens<T>(
  path: string,
  edit: (tokens: TokenRecord[]) => T,
  maxWaitMs?: number,
): T {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const change = (): T => {
    const tokens = [...readTrustedTokens(path)]
    const result = edit(tokens)
    replaceFile(path, `${JSON.stringify({ tokens }, null, 1)}\n`)
    return result
  }
  return withLock(path, change, maxWaitMs)
}

function isRecord(value: unknown): value is TokenRecord {
  if (typeof value !== 'object' || value === null) return false
  const { id, name, hash, profile, scopes, ...times } = value as Record<string, unknown>
  return (
    [id, name].every((text) => typeof text === 'string' && text !== '') &&
    typeof hash === 'string' &&
    /^[0-9a-f]{64}$/.test(hash) &&
    (profile === undefined || typeof profile === 'string') &&
    Array.isArray(scopes) &&
    scopes.every((scope) => allScopes.includes(scope)) &&
    isTime(times['createdAt']) &&
    ['expiresAt', 'revokedAt', 'lastUsedAt'].every(
      (key) => times[key] === undefined || isTime(times[key]),
    )
  )
}

const isTime = (value: unknown): boolean =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value))
