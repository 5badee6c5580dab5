import type { IncomingMessage } from 'node:http'
import type { ResourceServer } from './oauth/resource-server.ts'
import { type BearerError, RefusedError } from './refusals/refused-error.ts'
import type { FileTokens } from './tokens/file-tokens.ts'
import { type Callers, createConfiguredTokens } from './visitors/configured-tokens.ts'
import { type Scope, scopesOf, type Visitor } from './visitors/visitor.ts'

export interface AdmissionOptions {
  /** The token of whoever may do everything. */
  owner?: string | undefined
  /** Asked at each request: the configuration may change. */
  callers?: (() => Callers) | undefined
  tokens?: FileTokens | undefined
  oauth?: ResourceServer | undefined
  /** Whose browser it is. Not asked for `mcp`, where cookies do not count. */
  sessionOf?: ((request: IncomingMessage) => Visitor | undefined) | undefined
  /** The session of such a visitor has not ended. */
  isSessionOpen?: ((visitor: Visitor) => boolean) | undefined
  /** What anyone may do where nothing is asked for. Default `mcp`. */
  whenUnlocked?: readonly Scope[] | undefined
}

/** Who may come in. */
export interface Admission {
  /** Nobody comes in without a credential. What was locked once stays so. */
  isLocked(): boolean
  /** Who asks for something of that scope. @throws {RefusedError} also as a rejection */
  visitorOf(request: IncomingMessage, scope: Scope): Visitor | Promise<Visitor>
  /** Who was let in would be let in again. */
  isStillIn(visitor: Visitor): boolean
  /** The `WWW-Authenticate` of a refusal. */
  challenge(path: string, error?: BearerError | undefined, scope?: Scope | undefined): string
}

/** Longer ones are nobody's. */
const longestCredential = 8_192
/** Streams are not cut in the midst of what they were opened for. */
const graceOfStreamsMs = 600_000

export function createAdmission(options: AdmissionOptions): Admission {
  const { owner, callers = () => noCallers, tokens, oauth, sessionOf } = options
  const configured = createConfiguredTokens(owner, callers)
  const anyone: Visitor = { kind: 'anyone', scopes: scopesOf(options.whenUnlocked ?? ['mcp']) }
  let wasLocked = false

  function isLocked(): boolean {
    // A configuration that loses its last token opens the door to nobody.
    wasLocked ||= !configured.isEmpty() || tokens?.isKept() === true || oauth !== undefined
    return wasLocked
  }

  return {
    isLocked,
    visitorOf(request, scope) {
      const given = bearerIn(request)
      if (given === undefined && scope !== 'mcp') {
        const session = sessionOf?.(request)
        if (session) return session
      }
      if (!isLocked()) return anyone
      if (given === undefined)
        throw new RefusedError('no_credential', 401, 'A bearer token is needed.')
      const known = configured.find(given) ?? tokens?.find(given)
      if (known) return known
      if (oauth && isLikeJwt(given)) return oauth.visitorOf(given)
      throw new RefusedError('unknown_token', 401, 'The bearer token is not valid.', {
        error: 'invalid_token',
      })
    },
    isStillIn(visitor) {
      switch (visitor.kind) {
        case 'caller':
          return configured.has(visitor)
        case 'token':
          return tokens?.isActive(visitor.id ?? '') === true
        case 'jwt':
          return Date.now() < (visitor.validUntil ?? 0) + graceOfStreamsMs
        case 'session':
          return options.isSessionOpen?.(visitor) ?? true
        case 'anyone':
          return !isLocked()
        default:
          return true
      }
    },
    challenge(path, error, scope) {
      const parts = [
        ...(error === undefined ? [] : [`error="${error}"`]),
        ...(oauth && scope ? [`scope="${oauth.scopeNames[scope]}"`] : []),
        ...(oauth ? [`resource_metadata="${oauth.metadataUrl(path)}"`] : []),
      ]
      return parts.length === 0 ? 'Bearer' : `Bearer ${parts.join(', ')}`
    },
  }
}

const noCallers: Callers = {}

/** @throws {RefusedError} */
function bearerIn({ headers }: IncomingMessage): string | undefined {
  const { authorization } = headers
  if (authorization === undefined || authorization === '') return undefined
  if (authorization.length > longestCredential)
    throw new RefusedError('unknown_token', 401, 'The bearer token is not valid.', {
      error: 'invalid_token',
    })
  return /^Bearer +(.+)$/i.exec(authorization)?.[1]
}

const isLikeJwt = (token: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)
