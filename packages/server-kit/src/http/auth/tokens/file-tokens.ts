import { hash, randomBytes } from 'node:crypto'
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { withLock } from '../../../files/replace-file.ts'
import { HttpEndpointError } from '../../protocol/http-endpoint-error.ts'
import { RejectedError } from '../../rejections/rejected-error.ts'
import { type Principal, type Scope, scopesOf } from '../principals/principal.ts'
import {
  maxTokens,
  readTokens,
  type StoredToken,
  type TokenRecord,
  writeTokens,
} from './token-file.ts'

/** Path of the token file. */
export interface FileTokensOptions {
  /** Created with the first token. */
  path: string
  onLog?: ((text: string) => void) | undefined
  now?: (() => number) | undefined
}

/** Name, profile, scopes and end of a token. */
export interface NewToken {
  name: string
  profile?: string | undefined
  scopes?: readonly Scope[] | undefined
  /** Milliseconds since 1970. */
  expiresAt?: number | undefined
}

/** Tokens in a file, which several processes may use and change concurrently. */
export interface FileTokens {
  /** True if the file exists, even if it is empty or damaged: a token is required then. */
  hasFile(): boolean
  /** @throws {RejectedError} for an expired or revoked token, or if the file cannot be read */
  find(token: string): Principal | undefined
  isActive(id: string): boolean
  /** @throws {HttpEndpointError} `damaged_tokens`, as do the functions below */
  list(): readonly StoredToken[]
  /** The token itself is not stored. @throws {HttpEndpointError} `name_taken`, `bad_token` */
  create(token: NewToken): { token: string; stored: StoredToken }
  /**
   * By id, or by the name of a token that is not revoked. @throws {HttpEndpointError}
   * `unknown_token`
   */
  revoke(idOrName: string): StoredToken
  /** Writes pending times of use. */
  close(): void
}

const prefix = 'pith_'
const lookEveryMs = 1_000
const noteUseEveryMs = 60_000
/** Expired and revoked tokens are removed after this time. */
const rememberedMs = 90 * 86_400_000
const maxNameLength = 60

/** Stores access tokens as hashes in one file that several processes share. */
export function createFileTokens(options: FileTokensOptions): FileTokens {
  const { path, onLog = () => {}, now = Date.now } = options
  const used = new Map<string, number>()
  let looked = Number.NEGATIVE_INFINITY
  let stamp: string | undefined
  let known = new Map<string, { stored: TokenRecord; principal: Principal }>()
  let damage: Error | undefined
  let timer: NodeJS.Timeout | undefined
  let isTold = false

  /** Reads the file if it has changed; checked at most once a second. */
  function look(): void {
    if (Math.abs(now() - looked) < lookEveryMs) return
    looked = now()
    const found = stampOf(path)
    if (found === stamp) return
    stamp = found
    const read = readTokens(path)
    damage = read instanceof Error ? read : undefined
    if (damage)
      onLog(
        `${path} cannot be used (${damage.message}). Stored tokens are rejected until the file is repaired.`,
      )
    const before = known
    known = new Map(
      (Array.isArray(read) ? (read as readonly TokenRecord[]) : []).map((stored) => [
        stored.hash,
        { stored, principal: before.get(stored.hash)?.principal ?? principalOf(stored) },
      ]),
    )
  }

  function change<T>(edit: (tokens: TokenRecord[]) => T, maxWaitMs?: number): T {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const outcome = withLock(
      path,
      () => {
        const tokens = [...readOrThrow()]
        const result = edit(tokens)
        writeTokens(path, tokens)
        return result
      },
      maxWaitMs,
    )
    looked = Number.NEGATIVE_INFINITY
    return outcome
  }

  function readOrThrow(): readonly TokenRecord[] {
    const read = readTokens(path)
    if (read instanceof Error)
      throw new HttpEndpointError('damaged_tokens', `${path} cannot be used (${read.message}).`)
    return read ?? []
  }

  /** Neither requests nor other processes wait for this. */
  function noteUse({ id, lastUsedAt }: TokenRecord): void {
    const last = Math.max(used.get(id) ?? 0, lastUsedAt === undefined ? 0 : Date.parse(lastUsedAt))
    if (now() - last < noteUseEveryMs) return
    used.set(id, now())
    timer ??= setTimeout(writeUses, 2_000).unref()
  }

  function writeUses(): void {
    clearTimeout(timer)
    timer = undefined
    if (used.size === 0) return
    try {
      change((tokens) => {
        for (const [at, one] of tokens.entries()) {
          const time = used.get(one.id)
          if (time !== undefined && time > Date.parse(one.lastUsedAt ?? one.createdAt))
            tokens[at] = { ...one, lastUsedAt: new Date(time).toISOString() }
        }
      }, 0)
      used.clear()
    } catch (error) {
      if (!isTold && damage === undefined)
        onLog(`${path}: the times of use cannot be stored (${(error as Error).message}).`)
      isTold = true
    }
  }

  return {
    hasFile() {
      look()
      return stamp !== undefined
    },
    find(token) {
      look()
      if (!token.startsWith(prefix)) return undefined
      if (damage)
        throw new RejectedError('damaged_tokens', 503, 'Tokens cannot be verified at the moment.')
      // Lookup by hash: its duration reveals nothing about tokens.
      const found = known.get(hashOf(token))
      if (found === undefined) return undefined
      const { stored, principal } = found
      const state = stateOf(stored, now())
      if (state !== 'active')
        throw new RejectedError(`${state}_token`, 401, 'The bearer token is not valid.', {
          principal: `token ${stored.name}`,
          error: 'invalid_token',
        })
      noteUse(stored)
      return principal
    },
    isActive(id) {
      look()
      for (const { stored } of known.values())
        if (stored.id === id) return stateOf(stored, now()) === 'active'
      return false
    },
    list: () => readOrThrow().map(withoutHash),
    create({ name, profile, scopes = ['mcp'], expiresAt }) {
      if (name.length > maxNameLength || !/^[\w.@ -]+$/.test(name))
        throw new HttpEndpointError(
          'bad_token',
          `The name ${JSON.stringify(name)} must consist of letters, digits, "_", "-", ".", "@" or blanks, and have at most ${maxNameLength} characters.`,
        )
      if (expiresAt !== undefined && !(expiresAt > now()))
        throw new HttpEndpointError('bad_token', `${name}: the expiry time must be in the future.`)
      if (profile !== undefined && scopes.some((scope) => scope !== 'mcp'))
        throw new HttpEndpointError(
          'bad_token',
          `${name}: the console shows all profiles. Leave out the profile ${profile} or the console scopes.`,
        )
      const token = `${prefix}${randomBytes(32).toString('base64url')}`
      return change((tokens) => {
        const recent = tokens.filter((one) => !isForgotten(one, now()))
        if (recent.some((one) => one.name === name && stateOf(one, now()) === 'active'))
          throw new HttpEndpointError('name_taken', `There is already a token ${name}.`)
        if (recent.length >= maxTokens)
          throw new HttpEndpointError('bad_token', `There are already ${maxTokens} tokens.`)
        const stored: TokenRecord = {
          id: newId(tokens),
          name,
          ...(profile !== undefined && { profile }),
          scopes: [...new Set(scopes)],
          createdAt: new Date(now()).toISOString(),
          ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
          hash: hashOf(token),
        }
        tokens.splice(0, tokens.length, ...recent, stored)
        return { token, stored: withoutHash(stored) }
      })
    },
    revoke: (idOrName) =>
      change((tokens) => {
        const named = tokens.filter(
          ({ id, name, revokedAt }) =>
            revokedAt === undefined && (id === idOrName || name === idOrName),
        )
        // The name of an expired token may be in use again.
        const found = named.find((one) => stateOf(one, now()) === 'active') ?? named[0]
        if (found === undefined)
          throw new HttpEndpointError('unknown_token', `There is no token ${safeName(idOrName)}.`)
        const revoked = { ...found, revokedAt: new Date(now()).toISOString() }
        tokens[tokens.indexOf(found)] = revoked
        return withoutHash(revoked)
      }),
    close: writeUses,
  }
}

type TokenState = 'active' | 'expired' | 'revoked'

const stateOf = ({ revokedAt, expiresAt }: StoredToken, now: number): TokenState => {
  if (revokedAt !== undefined) return 'revoked'
  return expiresAt !== undefined && Date.parse(expiresAt) <= now ? 'expired' : 'active'
}

function isForgotten({ revokedAt, expiresAt }: StoredToken, now: number): boolean {
  const ended = revokedAt ?? expiresAt
  return ended !== undefined && now - Date.parse(ended) > rememberedMs
}

const principalOf = ({ id, name, profile, scopes }: TokenRecord): Principal => ({
  kind: 'token',
  id,
  name,
  profile,
  scopes: scopesOf(scopes, profile),
})

const withoutHash = ({ hash: _hash, ...stored }: TokenRecord): StoredToken => stored

const hashOf = (token: string): string => hash('sha256', token, 'hex')

const safeName = (text: string): string => JSON.stringify(text.slice(0, maxNameLength))

function newId(tokens: readonly StoredToken[]): string {
  for (;;) {
    const id = randomBytes(4).toString('hex')
    if (!tokens.some((one) => one.id === id || one.name === id)) return id
  }
}

function stampOf(path: string): string | undefined {
  try {
    const { mtimeMs, size, ino, mode } = statSync(path)
    return `${mtimeMs} ${size} ${ino} ${mode}`
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : 'unreadable'
  }
}
