import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { replaceFile } from '../files/replace-file.ts'
import { allScopes, type Scope } from '../visitors/visitor.ts'

/** A token, as it is kept: not the token itself. Times are ISO 8601. */
export interface StoredToken {
  /** Short, and no secret. */
  readonly id: string
  readonly name: string
  /** The only profile it is for. */
  readonly profile?: string | undefined
  readonly scopes: readonly Scope[]
  readonly createdAt: string
  readonly expiresAt?: string | undefined
  readonly revokedAt?: string | undefined
  /** To the minute. */
  readonly lastUsedAt?: string | undefined
}

export interface KeptToken extends StoredToken {
  /** SHA-256 of the token, in hexadecimal digits. */
  readonly hash: string
}

export const mostTokens = 1_000
const mostBytes = 1024 * 1024

/** What the file says; `undefined` if there is none, an error if it cannot be trusted. */
export function readTokens(path: string): readonly KeptToken[] | Error | undefined {
  try {
    const { size, mode } = statSync(path)
    if (size > mostBytes) return new Error(`it has more than ${mostBytes} bytes`)
    if (process.platform !== 'win32' && (mode & 0o022) !== 0)
      return new Error('others than its owner can write it')
    const { tokens } = JSON.parse(readFileSync(path, 'utf8')) as { tokens: unknown }
    if (Array.isArray(tokens) && tokens.length <= mostTokens && tokens.every(isKept)) return tokens
    return new Error('it is damaged')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    return new Error(code ?? 'it is damaged')
  }
}

export function writeTokens(path: string, tokens: readonly KeptToken[]): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  replaceFile(path, `${JSON.stringify({ tokens }, null, 1)}\n`)
}

function isKept(value: unknown): value is KeptToken {
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
