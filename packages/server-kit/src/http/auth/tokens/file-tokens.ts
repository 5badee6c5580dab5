import { hash, randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { invalidToken, RejectedError } from '../../rejections/rejections.ts'
import { type Principal, scopesOf } from '../principals/principal.ts'
import {
  addToken,
  changeTokens,
  checkNewToken,
  type NewToken,
  readTokens,
  readTrustedTokens,
  revokeToken,
  type StoredToken,
  stateOf,
  type TokenRecord,
  withoutHash,
} from './token-file.ts'

/** Path of the token file. */
export interface FileTokensOptions {
  /** Created with the first token. */
  path: string
  onLog?: ((text: string) => void) | undefined
  now?: (() => number) | undefined
}

/** Tokens in a file, which several processes may use and change concurrently. */
export type FileTokens = ReturnType<typeof createFileTokens>

const prefix = 'pith_'

/** Stores access tokens as hashes in one file that several processes share. */
export function createFileTokens(options: FileTokensOptions) {
  const { path, onLog = () => {}, now = Date.now } = options
  const known = createKnownTokens(path, onLog, now)
  function change<T>(edit: (tokens: TokenRecord[]) => T, maxWaitMs?: number): T {
    const outcome = changeTokens(path, edit, maxWaitMs)
    known.expire()
    return outcome
  }
  let isTold = false
  const onUnwritten = (error: unknown): void => {
    if (!isTold && !known.current().isDamaged)
      onLog(`${path}: the times of use cannot be stored (${(error as Error).message}).`)
    isTold = true
  }
  // Neither requests nor other processes wait for the times of use.
  const uses = createTokenUses((edit) => change(edit, 0), onUnwritten, now)
  return {
    /** True if the file exists, even if it is empty or damaged: a token is required then. */
    hasFile: (): boolean => known.current().hasFile,
    /** @throws {RejectedError} for an expired or revoked token, or if the file cannot be read */
    find(token: string): Principal | undefined {
      const { isDamaged, byHash } = known.current()
      if (!token.startsWith(prefix)) return undefined
      if (isDamaged)
        throw new RejectedError('damaged_tokens', 503, 'Tokens cannot be verified at the moment.')
      // Lookup by hash: its duration reveals nothing about tokens.
      const found = byHash.get(hashOf(token))
      if (found === undefined) return undefined
      checkActive(found.stored, now())
      uses.note(found.stored)
      return found.principal
    },
    isActive(id: string): boolean {
      const found = [...known.current().byHash.values()].find(({ stored }) => stored.id === id)
      return found !== undefined && stateOf(found.stored, now()) === 'active'
    },
    /** @throws {HttpEndpointError} `damaged_tokens`, as do the functions below */
    list: (): readonly StoredToken[] => readTrustedTokens(path).map(withoutHash),
    /** The token itself is not stored. @throws {HttpEndpointError} `name_taken`, `bad_token` */
    create(wanted: NewToken): { token: string; stored: StoredToken } {
      checkNewToken(wanted, now())
      const token = `${prefix}${randomBytes(32).toString('base64url')}`
      const stored = change((tokens) => addToken(tokens, wanted, hashOf(token), now()))
      return { token, stored }
    },
    /**
     * By id, or by the name of a token that is not revoked. @throws {HttpEndpointError}
     * `unknown_token`
     */
    revoke: (idOrName: string): StoredToken =>
      change((tokens) => revokeToken(tokens, idOrName, now())),
    /** Writes pending times of use. */
    close: uses.flush,
  }
}

/** @throws {RejectedError} */
function checkActive(stored: StoredToken, now: number): void {
  const state = stateOf(stored, now)
  if (state !== 'active') throw invalidToken(`${state}_token`, `token ${stored.name}`)
}

const hashOf = (token: string): string => hash('sha256', token, 'hex')

const noteUseEveryMs = 60_000
const writeAfterMs = 2_000

/**
 * When tokens were last used. Written with a delay, so that requests do not wait for it. `write`
 * changes the file, and throws if it cannot be changed at once.
 */
function createTokenUses(
  write: (edit: (tokens: TokenRecord[]) => void) => void,
  onFailed: (error: unknown) => void,
  now: () => number,
) {
  /** Milliseconds since 1970, by the id of the token. */
  const usedAt = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined

  /** Writes what is pending; after a failure, it stays pending. Never throws. */
  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (usedAt.size === 0) return
    try {
      write(enter)
      usedAt.clear()
    } catch (error) {
      onFailed(error)
    }
  }

  function enter(tokens: TokenRecord[]): void {
    for (const [at, token] of tokens.entries()) {
      const time = usedAt.get(token.id)
      if (time !== undefined && time > Date.parse(token.lastUsedAt ?? token.createdAt))
        tokens[at] = { ...token, lastUsedAt: new Date(time).toISOString() }
    }
  }

  return {
    flush,
    note({ id, lastUsedAt }: TokenRecord): void {
      const stored = lastUsedAt === undefined ? 0 : Date.parse(lastUsedAt)
      const last = Math.max(usedAt.get(id) ?? 0, stored)
      if (now() - last < noteUseEveryMs) return
      usedAt.set(id, now())
      timer ??= setTimeout(flush, writeAfterMs).unref()
    },
  }
}

/** A token with its principal, which stays the same object while the file changes. */
interface KnownToken {
  readonly stored: TokenRecord
  readonly principal: Principal
}

/** The tokens of a file. */
interface TokensOfFile {
  /** True if the file exists, even if it is empty or damaged. */
  readonly hasFile: boolean
  /** True if the file cannot be trusted. */
  readonly isDamaged: boolean
  readonly byHash: ReadonlyMap<string, KnownToken>
}

const lookEveryMs = 1_000

function createKnownTokens(path: string, onLog: (text: string) => void, now: () => number) {
  let lookedAt = Number.NEGATIVE_INFINITY
  let stamp: string | undefined
  let known: TokensOfFile = { hasFile: false, isDamaged: false, byHash: new Map() }

  function read(): TokensOfFile {
    const tokens = readTokens(path)
    const isDamaged = tokens instanceof Error
    if (isDamaged)
      onLog(
        `${path} cannot be used (${tokens.message}). Stored tokens are rejected until the file is repaired.`,
      )
    const byHash = new Map<string, KnownToken>()
    for (const stored of isDamaged ? [] : (tokens ?? [])) {
      const principal = known.byHash.get(stored.hash)?.principal ?? principalOf(stored)
      byHash.set(stored.hash, { stored, principal })
    }
    return { hasFile: stamp !== undefined, isDamaged, byHash }
  }

  return {
    /** Reads the file if it has changed; checked at most once a second. */
    current(): TokensOfFile {
      if (Math.abs(now() - lookedAt) < lookEveryMs) return known
      lookedAt = now()
      const stampNow = stampOf(path)
      if (stampNow === stamp) return known
      stamp = stampNow
      known = read()
      return known
    },
    /** The next look checks the file: this process has changed it. */
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

function stampOf(path: string): string | undefined {
  try {
    const { mtimeMs, size, ino, mode } = statSync(path)
    return `${mtimeMs} ${size} ${ino} ${mode}`
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : 'unreadable'
  }
}
