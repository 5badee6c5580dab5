import { hash, randomBytes } from 'node:crypto'
import { invalidToken, RejectedError } from '../../rejections/rejected-error.ts'
import type { Principal } from '../principals/principal.ts'
import { addToken, checkNewToken, type NewToken, revokeToken, withoutHash } from './edit-tokens.ts'
import { createKnownTokens } from './known-tokens.ts'
import {
  changeTokens,
  readTrustedTokens,
  type StoredToken,
  stateOf,
  type TokenRecord,
} from './token-file.ts'
import { TokenUses } from './token-uses.ts'

/** Path of the token file. */
export interface FileTokensOptions {
  /** Created with the first token. */
  path: string
  onLog?: ((text: string) => void) | undefined
  now?: (() => number) | undefined
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

/** Stores access tokens as hashes in one file that several processes share. */
export function createFileTokens(options: FileTokensOptions): FileTokens {
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
  const uses = new TokenUses((edit) => change(edit, 0), onUnwritten, now)
  return {
    hasFile: () => known.current().hasFile,
    find(token) {
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
    isActive(id) {
      const found = [...known.current().byHash.values()].find(({ stored }) => stored.id === id)
      return found !== undefined && stateOf(found.stored, now()) === 'active'
    },
    list: () => readTrustedTokens(path).map(withoutHash),
    create(wanted) {
      checkNewToken(wanted, now())
      const token = `${prefix}${randomBytes(32).toString('base64url')}`
      const stored = change((tokens) => addToken(tokens, wanted, hashOf(token), now()))
      return { token, stored }
    },
    revoke: (idOrName) => change((tokens) => revokeToken(tokens, idOrName, now())),
    close: () => uses.flush(),
  }
}

/** @throws {RejectedError} */
function checkActive(stored: StoredToken, now: number): void {
  const state = stateOf(stored, now)
  if (state !== 'active') throw invalidToken(`${state}_token`, `token ${stored.name}`)
}

const hashOf = (token: string): string => hash('sha256', token, 'hex')
