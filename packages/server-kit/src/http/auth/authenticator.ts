import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type BearerError, invalidToken, RejectedError } from '../rejections/rejections.ts'
import type { ResourceServer } from './oauth/resource-server.ts'
import { type Principal, type Scope, scopesOf } from './principals/principal.ts'
import type { Tokens } from './tokens/tokens.ts'

/** Sources of credentials. Without any of them, requests of scope `mcp` are accepted. */
export interface AuthenticatorOptions {
  /** Token of the owner, with all scopes. */
  owner?: string | undefined
  /** Called for each request, since the configuration may change. */
  callers?: (() => Callers) | undefined
  tokens?: Tokens | undefined
  oauth?: ResourceServer | undefined
  /** The principal of a browser session. Not called for scope `mcp`, where cookies are ignored. */
  sessionOf?: ((request: IncomingMessage) => Principal | undefined) | undefined
  /** False if the session of a principal has ended. */
  isSessionOpen?: ((principal: Principal) => boolean) | undefined
}

/** Finds the principal of a request. */
export type Authenticator = ReturnType<typeof createAuthenticator>

/** Characters. Longer credentials are rejected. */
const maxCredentialLength = 8_192
/** Streams may outlive the token they were opened with by this time. */
const graceOfStreamsMs = 600_000

/** Creates an authenticator for bearer tokens, access tokens and browser sessions. */
export function createAuthenticator(options: AuthenticatorOptions) {
  const { owner, callers = () => noCallers, tokens, oauth, sessionOf } = options
  const configured = createConfiguredTokens(owner, callers)
  const anyone: Principal = { kind: 'anyone', scopes: scopesOf(['mcp']) }
  let requiredAuth = false

  function requiresAuth(): boolean {
    // Removing the last token of a configuration must not open the endpoint.
    requiredAuth ||= !configured.isEmpty() || tokens?.isUsed() === true || oauth !== undefined
    return requiredAuth
  }

  /** True if the principal would still be accepted. */
  function isStillValid(principal: Principal): boolean {
    switch (principal.kind) {
      case 'caller':
        return configured.has(principal)
      case 'token':
        return tokens?.isActive(principal.id ?? '') === true
      case 'jwt':
        return Date.now() < (principal.validUntil ?? 0) + graceOfStreamsMs
      case 'session':
        return options.isSessionOpen?.(principal) ?? true
      case 'anyone':
        return !requiresAuth()
      default:
        return true
    }
  }

  return {
    /** True if a credential is required. Remains true once it was. */
    requiresAuth,
    /** The principal of a request for a scope. @throws {RejectedError} also as a rejection */
    authenticate(request: IncomingMessage, scope: Scope): Principal | Promise<Principal> {
      const credential = bearerIn(request)
      if (credential === undefined && scope !== 'mcp') {
        const session = sessionOf?.(request)
        if (session) return session
      }
      if (!requiresAuth()) return anyone
      if (credential === undefined)
        throw new RejectedError('no_credential', 401, 'A bearer token is required.')
      const principal = configured.find(credential) ?? tokens?.find(credential)
      if (principal) return principal
      if (oauth && isLikeJwt(credential)) return oauth.authenticate(credential)
      throw invalidToken('unknown_token')
    },
    isStillValid,
    /**
     * The principal that another program with the same credentials has found, as it is known here.
     * @throws {RejectedError} if it is not valid here
     */
    recognise(principalThere: Principal): Principal {
      const { kind, id = '', name } = principalThere
      let principal: Principal | undefined = principalThere
      if (kind === 'caller') principal = configured.named(name)
      else if (kind === 'token') principal = tokens?.principalOf(id)
      if (principal && isStillValid(principal)) return principal
      throw invalidToken('unknown_token')
    },
    /** The `WWW-Authenticate` header of a rejection. */
    challenge(path: string, error?: BearerError | undefined, scope?: Scope | undefined): string {
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

/** @throws {RejectedError} */
function bearerIn({ headers }: IncomingMessage): string | undefined {
  const { authorization } = headers
  if (authorization === undefined || authorization === '') return undefined
  if (authorization.length > maxCredentialLength) throw invalidToken('unknown_token')
  return /^Bearer +(.+)$/i.exec(authorization)?.[1]
}

const isLikeJwt = (token: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)

/** Configured callers by name. */
type Callers = Readonly<Record<string, { token: string; profile?: string | undefined }>>

interface Known {
  digest: Buffer
  principal: Principal
}

const digestOf = (text: string): Buffer => hash('sha256', text, 'buffer')

/**
 * Tokens from the environment and the configuration. `callers` is called for each request; a new
 * object means a new configuration.
 */
function createConfiguredTokens(owner: string | undefined, callers: () => Callers) {
  const ofOwner: Principal = { kind: 'owner', scopes: scopesOf(['mcp', 'console:admin']) }
  const first: Known[] =
    owner === undefined ? [] : [{ digest: digestOf(owner), principal: ofOwner }]
  let lastCallers: Callers | undefined
  let pairs = first

  function current(): readonly Known[] {
    const now = callers()
    if (now === lastCallers) return pairs
    lastCallers = now
    const before = pairs
    const added = Object.entries(now).map(([name, { token, profile }]) => {
      const digest = digestOf(token)
      const same = before.find(
        (pair) =>
          pair.principal.name === name &&
          pair.principal.profile === profile &&
          pair.digest.equals(digest),
      )
      const principal = { kind: 'caller', name, profile, scopes: scopesOf(['mcp']) } as const
      return same ?? { digest, principal }
    })
    pairs = [...first, ...added]
    return pairs
  }

  return {
    isEmpty: (): boolean => current().length === 0,
    find(token: string): Principal | undefined {
      const digest = digestOf(token)
      let hit: Principal | undefined
      // All are compared, so that the duration does not reveal a match.
      for (const pair of current()) if (timingSafeEqual(pair.digest, digest)) hit ??= pair.principal
      return hit
    },
    named: (name: string | undefined): Principal | undefined =>
      current().find(({ principal }) => principal.kind === 'caller' && principal.name === name)
        ?.principal,
    /** True if the principal's token is still configured. */
    has: (principal: Principal): boolean => current().some((pair) => pair.principal === principal),
  }
}
