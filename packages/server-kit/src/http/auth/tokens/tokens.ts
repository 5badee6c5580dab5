import { hash, randomBytes } from 'node:crypto'
import { invalidToken, RejectedError } from '../../rejections/rejections.ts'
import { type Principal, scopesOf } from '../principals/principal.ts'
import {
  addToken,
  checkNewToken,
  fileTokenSource,
  type NewToken,
  type Rotation,
  readTrustedTokens,
  revokeToken,
  rotateToken,
  type StoredToken,
  stateOf,
  type TokenRecord,
  type TokenSource,
  withoutHash,
} from './token-file.ts'

export interface TokensOptions {
  source: TokenSource
  onLog?: ((text: string) => void) | undefined
  now?: (() => number) | undefined
}

/** Access tokens, which several processes may use and change concurrently. */
export type Tokens = ReturnType<typeof createTokens>

interface CreatedToken {
  token: string
  record: StoredToken
}

/** Tokens in a file: its changes are made when a function returns. */
export interface FileTokens extends Tokens {
  create(token: NewToken): CreatedToken
  rotate(idOrName: string, rotation: Rotation): CreatedToken
  revoke(idOrName: string): StoredToken
  close(): undefined
}

export const createFileTokens = ({
  path,
  ...options
}: Omit<TokensOptions, 'source'> & { path: string }): FileTokens =>
  createTokens({ ...options, source: fileTokenSource(path) }) as FileTokens

const prefix = 'pith_'

/** Access tokens, of which only hashes are stored. */
export function createTokens(options: TokensOptions) {
  const { source, onLog = () => {}, now = Date.now } = options
  const cache = createKnownTokens(source, onLog, now)
  function change<T>(edit: (tokens: TokenRecord[]) => T, maxWaitMs?: number): T | Promise<T> {
    const outcome = source.change(edit, maxWaitMs)
    cache.expire()
    return outcome
  }
  function withValue(
    edit: (tokens: TokenRecord[], hash: string) => StoredToken,
  ): CreatedToken | Promise<CreatedToken> {
    const token = `${prefix}${randomBytes(32).toString('base64url')}`
    const stored = change((tokens) => edit(tokens, hashOf(token)))
    return stored instanceof Promise
      ? stored.then((record) => ({ token, record }))
      : { token, record: stored }
  }
  let isTold = false
  const onUnwritten = (error: unknown): void => {
    if (!isTold && !cache.current().isDamaged)
      onLog(`${source.name}: the times of use cannot be stored (${(error as Error).message}).`)
    isTold = true
  }
  // Neither requests nor other processes wait for the times of use.
  const uses = createTokenUses((edit) => change(edit, 0), onUnwritten, now)
  return {
    /** True if there ever was one, or they are damaged: a token is required then. */
    isUsed: (): boolean => cache.current().isUsed,
    /** @throws {RejectedError} for an expired or revoked token, or if the file cannot be read */
    find(token: string): Principal | undefined {
      const { isDamaged, byHash } = cache.current()
      if (!token.startsWith(prefix)) return undefined
      if (isDamaged)
        throw new RejectedError('damaged_tokens', 503, 'Tokens cannot be verified at the moment.')
      // Lookup by hash: its duration reveals nothing about tokens.
      const hash = hashOf(token)
      const match = byHash.get(hash)
      if (match === undefined) return undefined
      checkActive(match.record, hash, now())
      uses.note(match.record)
      return match.principal
    },
    isActive(id: string): boolean {
      const match = cache.byId(id)
      return match !== undefined && stateOf(match.record, now()) === 'valid'
    },
    principalOf: (id: string): Principal | undefined => cache.byId(id)?.principal,
    /** @throws {HttpEndpointError} `damaged_tokens`, as do the functions below */
    list: (): readonly StoredToken[] => readTrustedTokens(source).map(withoutHash),
    /** The token itself is not stored. @throws {HttpEndpointError} `name_taken`, `bad_token` */
    create(newToken: NewToken): CreatedToken | Promise<CreatedToken> {
      checkNewToken(newToken, now())
      return withValue((tokens, hash) => addToken(tokens, newToken, hash, now()))
    },
    /** Replaces the value of a token. @throws {HttpEndpointError} `unknown_token` */
    rotate: (idOrName: string, rotation: Rotation): CreatedToken | Promise<CreatedToken> =>
      withValue((tokens, hash) => rotateToken(tokens, idOrName, rotation, hash, now())),
    /**
     * By id, or by the name of a token that is not revoked. @throws {HttpEndpointError}
     * `unknown_token`
     */
    revoke: (idOrName: string): StoredToken | Promise<StoredToken> =>
      change((tokens) => revokeToken(tokens, idOrName, now())),
    /** Writes pending times of use, and resolves when they are written. */
    close: uses.flush,
  }
}

/** @throws {RejectedError} */
function checkActive(token: TokenRecord, hash: string, now: number): void {
  const before = token.previous?.find((each) => each.hash === hash)
  const isReplaced = hash !== token.hash && Date.parse(before?.until ?? '0') <= now
  const state = isReplaced ? 'replaced' : stateOf(token, now)
  if (state !== 'valid') throw invalidToken(`${state}_token`, `token ${token.name}`)
}

const hashOf = (token: string): string => hash('sha256', token, 'hex')

const noteUseEveryMs = 60_000
const writeAfterMs = 2_000

/**
 * When tokens were last used. Written with a delay, so that requests do not wait for it. `write`
 * changes the file, and throws if it cannot be changed at once.
 */
function createTokenUses(
  write: (edit: (tokens: TokenRecord[]) => void) => void | Promise<void>,
  onFailed: (error: unknown) => void,
  now: () => number,
) {
  /** Milliseconds since 1970, by the id of the token. */
  const usedAt = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined

  /** Writes what is pending; after a failure, it stays pending. Never throws or rejects. */
  function flush(): Promise<void> | undefined {
    clearTimeout(timer)
    timer = undefined
    if (usedAt.size === 0) return writing
    try {
      const uses = new Map(usedAt)
      writing = write((tokens) => enter(tokens, uses))?.catch(onFailed)
      usedAt.clear()
    } catch (error) {
      onFailed(error)
    }
    return writing
  }

  function enter(tokens: TokenRecord[], uses: ReadonlyMap<string, number>): void {
    for (const [at, token] of tokens.entries()) {
      const time = uses.get(token.id)
      if (time !== undefined && time > Date.parse(token.lastUsedAt ?? token.createdAt))
        tokens[at] = { ...token, lastUsedAt: new Date(time).toISOString() }
    }
  }

  return {
    flush,
    note({ id, lastUsedAt }: TokenRecord): void {
      const storedAt = lastUsedAt === undefined ? 0 : Date.parse(lastUsedAt)
      const last = Math.max(usedAt.get(id) ?? 0, storedAt)
      if (now() - last < noteUseEveryMs) return
      usedAt.set(id, now())
      timer ??= setTimeout(flush, writeAfterMs).unref()
    },
  }
}

/** A token with its principal, which stays the same object while tokens change. */
interface KnownToken {
  readonly record: TokenRecord
  readonly principal: Principal
}

/** The tokens as they were read last. */
interface ReadTokens {
  readonly isUsed: boolean
  /** True if they cannot be trusted. */
  readonly isDamaged: boolean
  readonly byHash: ReadonlyMap<string, KnownToken>
}

function createKnownTokens(source: TokenSource, onLog: (text: string) => void, now: () => number) {
  let lookedAt = Number.NEGATIVE_INFINITY
  let stamp: string | undefined
  let snapshot: ReadTokens = { isUsed: false, isDamaged: false, byHash: new Map() }

  function read(): ReadTokens {
    const tokens = source.read()
    const isDamaged = tokens instanceof Error
    if (isDamaged)
      onLog(
        `${source.name} cannot be used (${tokens.message}). Stored tokens are rejected until it is repaired.`,
      )
    const byHash = new Map<string, KnownToken>()
    for (const record of isDamaged ? [] : (tokens ?? [])) {
      const hashes = [record.hash, ...(record.previous ?? []).map(({ hash }) => hash)]
      const known = hashes.flatMap((hash) => snapshot.byHash.get(hash) ?? [])[0]
      const principal = known?.principal ?? principalOf(record)
      for (const hash of hashes) byHash.set(hash, { record, principal })
    }
    return { isUsed: stamp !== undefined, isDamaged, byHash }
  }

  function current(): ReadTokens {
    if (Math.abs(now() - lookedAt) < source.lookEveryMs) return snapshot
    lookedAt = now()
    const stampNow = source.stamp()
    if (stampNow === stamp) return snapshot
    stamp = stampNow
    snapshot = read()
    return snapshot
  }

  return {
    /** Reads the tokens if they have changed. */
    current,
    byId: (id: string): KnownToken | undefined =>
      [...current().byHash.values()].find(({ record }) => record.id === id),
    /** The next look reads again: this process has changed them. */
    expire(): void {
      lookedAt = Number.NEGATIVE_INFINITY
    },
  }
}

const principalOf = ({ id, name, profile, scopes }: TokenRecord): Principal => ({
  kind: 'token',
  id,
  name,
  profile,
  scopes: scopesOf(scopes, profile),
})
