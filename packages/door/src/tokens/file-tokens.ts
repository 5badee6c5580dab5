import { hash, randomBytes } from 'node:crypto'
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DoorError } from '../door-error.ts'
import { withLock } from '../files/replace-file.ts'
import { RefusedError } from '../refusals/refused-error.ts'
import { type Scope, scopesOf, type Visitor } from '../visitors/visitor.ts'
import {
  type KeptToken,
  mostTokens,
  readTokens,
  type StoredToken,
  writeTokens,
} from './token-file.ts'

export interface FileTokensOptions {
  /** Made when the first token is. */
  path: string
  onLog?: ((text: string) => void) | undefined
  now?: (() => number) | undefined
}

export interface NewToken {
  name: string
  profile?: string | undefined
  scopes?: readonly Scope[] | undefined
  /** Milliseconds since 1970. */
  expiresAt?: number | undefined
}

/** Tokens in a file, which several processes use and change at the same time. */
export interface FileTokens {
  /** There is a file, whatever stands in it: whoever has none of its tokens stays out. */
  isKept(): boolean
  /** @throws {RefusedError} for one that is over, revoked, or cannot be known now */
  find(token: string): Visitor | undefined
  isActive(id: string): boolean
  /** @throws {DoorError} `damaged_tokens`, as all below */
  list(): readonly StoredToken[]
  /** The token is never said again. @throws {DoorError} `name_taken`, `bad_token` */
  create(token: NewToken): { token: string; stored: StoredToken }
  /** By id, or by name of one that is not revoked. @throws {DoorError} `unknown_token` */
  revoke(idOrName: string): StoredToken
  /** Write down who was there. */
  close(): void
}

const prefix = 'pith_'
const lookEveryMs = 1_000
const noteUseEveryMs = 60_000
/** Who was over for so long makes room for others. */
const rememberedMs = 90 * 86_400_000
const longestName = 60

export function createFileTokens(options: FileTokensOptions): FileTokens {
  const { path, onLog = () => {}, now = Date.now } = options
  const used = new Map<string, number>()
  let looked = Number.NEGATIVE_INFINITY
  let stamp: string | undefined
  let known = new Map<string, { kept: KeptToken; visitor: Visitor }>()
  let damage: Error | undefined
  let timer: NodeJS.Timeout | undefined
  let isTold = false

  /** Look whether the file is another, at most once a second. */
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
        `${path} cannot be used (${damage.message}). Nobody comes in by a stored token until it is mended.`,
      )
    const before = known
    known = new Map(
      (Array.isArray(read) ? (read as readonly KeptToken[]) : []).map((kept) => [
        kept.hash,
        { kept, visitor: before.get(kept.hash)?.visitor ?? visitorOf(kept) },
      ]),
    )
  }

  function change<T>(edit: (tokens: KeptToken[]) => T, longestWaitMs?: number): T {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const outcome = withLock(
      path,
      () => {
        const tokens = [...readOrThrow()]
        const result = edit(tokens)
        writeTokens(path, tokens)
        return result
      },
      longestWaitMs,
    )
    looked = Number.NEGATIVE_INFINITY
    return outcome
  }

  function readOrThrow(): readonly KeptToken[] {
    const read = readTokens(path)
    if (read instanceof Error)
      throw new DoorError('damaged_tokens', `${path} cannot be used (${read.message}).`)
    return read ?? []
  }

  /** Nobody waits for that, neither here nor for the lock. */
  function noteUse({ id, lastUsedAt }: KeptToken): void {
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
        onLog(`${path}: it is not written down who comes in (${(error as Error).message}).`)
      isTold = true
    }
  }

  return {
    isKept() {
      look()
      return stamp !== undefined
    },
    find(token) {
      look()
      if (!token.startsWith(prefix)) return undefined
      if (damage) throw new RefusedError('damaged_tokens', 503, 'Tokens cannot be looked up now.')
      // A hash tells by its time only of hashes.
      const found = known.get(hashOf(token))
      if (found === undefined) return undefined
      const { kept, visitor } = found
      const state = stateOf(kept, now())
      if (state !== 'active')
        throw new RefusedError(`${state}_token`, 401, 'The bearer token is not valid.', {
          who: `token ${kept.name}`,
          error: 'invalid_token',
        })
      noteUse(kept)
      return visitor
    },
    isActive(id) {
      look()
      for (const { kept } of known.values())
        if (kept.id === id) return stateOf(kept, now()) === 'active'
      return false
    },
    list: () => readOrThrow().map(withoutHash),
    create({ name, profile, scopes = ['mcp'], expiresAt }) {
      if (name.length > longestName || !/^[\w.@ -]+$/.test(name))
        throw new DoorError(
          'bad_token',
          `${JSON.stringify(name)}: a name has letters, digits, "_", "-", ".", "@" or blanks, at most ${longestName}.`,
        )
      if (expiresAt !== undefined && !(expiresAt > now()))
        throw new DoorError('bad_token', `${name}: it would be over before it begins.`)
      if (profile !== undefined && scopes.some((scope) => scope !== 'mcp'))
        throw new DoorError(
          'bad_token',
          `${name}: the console shows all profiles; leave out the profile ${profile} or the console scopes.`,
        )
      const token = `${prefix}${randomBytes(32).toString('base64url')}`
      return change((tokens) => {
        const recent = tokens.filter((one) => !isForgotten(one, now()))
        if (recent.some((one) => one.name === name && stateOf(one, now()) === 'active'))
          throw new DoorError('name_taken', `There is a token ${name} already.`)
        if (recent.length >= mostTokens)
          throw new DoorError('bad_token', `There are ${mostTokens} tokens already.`)
        const kept: KeptToken = {
          id: newId(tokens),
          name,
          ...(profile !== undefined && { profile }),
          scopes: [...new Set(scopes)],
          createdAt: new Date(now()).toISOString(),
          ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
          hash: hashOf(token),
        }
        tokens.splice(0, tokens.length, ...recent, kept)
        return { token, stored: withoutHash(kept) }
      })
    },
    revoke: (idOrName) =>
      change((tokens) => {
        const named = tokens.filter(
          ({ id, name, revokedAt }) =>
            revokedAt === undefined && (id === idOrName || name === idOrName),
        )
        // One that is over may have left its name to another.
        const found = named.find((one) => stateOf(one, now()) === 'active') ?? named[0]
        if (found === undefined)
          throw new DoorError('unknown_token', `There is no token ${safeName(idOrName)}.`)
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

const visitorOf = ({ id, name, profile, scopes }: KeptToken): Visitor => ({
  kind: 'token',
  id,
  name,
  profile,
  scopes: scopesOf(scopes, profile),
})

const withoutHash = ({ hash: _hash, ...stored }: KeptToken): StoredToken => stored

const hashOf = (token: string): string => hash('sha256', token, 'hex')

const safeName = (text: string): string => JSON.stringify(text.slice(0, longestName))

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
