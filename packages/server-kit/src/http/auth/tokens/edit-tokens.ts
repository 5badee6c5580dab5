import { randomBytes } from 'node:crypto'
import { HttpEndpointError } from '../../protocol/http-endpoint-error.ts'
import type { Scope } from '../principals/principal.ts'
import { maxTokens, type StoredToken, stateOf, type TokenRecord } from './token-file.ts'

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
  const recent = tokens.filter((one) => !isForgotten(one, now))
  if (recent.some((one) => one.name === name && stateOf(one, now) === 'active'))
    throw new HttpEndpointError('name_taken', `There is already a token ${name}.`)
  if (recent.length >= maxTokens)
    throw new HttpEndpointError('bad_token', `There are already ${maxTokens} tokens.`)
  const stored: TokenRecord = {
    id: newId(tokens),
    name,
    ...(profile !== undefined && { profile }),
    scopes: [...new Set(scopes)],
    createdAt: new Date(now).toISOString(),
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    hash,
  }
  tokens.splice(0, tokens.length, ...recent, stored)
  return withoutHash(stored)
}

/**
 * By id, or by the name of a token that is not revoked. @throws {HttpEndpointError}
 * `unknown_token`
 */
export function revokeToken(tokens: TokenRecord[], idOrName: string, now: number): StoredToken {
  const named = tokens.filter(
    ({ id, name, revokedAt }) => revokedAt === undefined && (id === idOrName || name === idOrName),
  )
  // The name of an expired token may be in use again.
  const found = named.find((one) => stateOf(one, now) === 'active') ?? named[0]
  if (found === undefined) {
    const safeName = JSON.stringify(idOrName.slice(0, maxNameLength))
    throw new HttpEndpointError('unknown_token', `There is no token ${safeName}.`)
  }
  const revoked = { ...found, revokedAt: new Date(now).toISOString() }
  tokens[tokens.indexOf(found)] = revoked
  return withoutHash(revoked)
}

export const withoutHash = ({ hash: _hash, ...stored }: TokenRecord): StoredToken => stored

function isForgotten({ revokedAt, expiresAt }: StoredToken, now: number): boolean {
  const ended = revokedAt ?? expiresAt
  return ended !== undefined && now - Date.parse(ended) > rememberedMs
}

function newId(tokens: readonly StoredToken[]): string {
  for (;;) {
    const id = randomBytes(4).toString('hex')
    if (!tokens.some((one) => one.id === id || one.name === id)) return id
  }
}
