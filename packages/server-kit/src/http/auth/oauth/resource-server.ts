import { hash } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { HttpEndpointError } from '../../protocol/http-endpoint-error.ts'
import { invalidToken, RejectedError, safely } from '../../rejections/rejections.ts'
import { allScopes, type Principal, type Scope, scopesOf } from '../principals/principal.ts'
import { createIssuerKeys, isSafeUrl } from './issuer-keys.ts'
import { createMetadata, type Metadata, profilesBelow } from './metadata.ts'

/** The authorization server whose access tokens are accepted, and the claims to read. */
export interface ResourceServerOptions {
  /** The `iss` of access tokens, exactly. */
  issuer: string
  /** The `aud` that access tokens must have. */
  audience: string
  /** Our public URL. Default: the audience, which must be a URL then. */
  resource?: string | undefined
  /** URL of the issuer's keys. Default: from its metadata. */
  jwksUri?: string | undefined
  /** Names of our scopes at the issuer. Default: the same names. */
  scopes?: { readonly [scope in Scope]?: string | undefined } | undefined
  /** The claim with the profile. If set, every token must have it. */
  profileClaim?: string | undefined
  /** The claim with the principal's name; every token must have it. Default `sub`. */
  nameClaim?: string | undefined
  /** Default: all asymmetric algorithms. */
  algorithms?: readonly string[] | undefined
  fetch?: typeof globalThis.fetch | undefined
  onLog?: ((text: string) => void) | undefined
}

/** Accepts access tokens of an OAuth authorization server (RFC 9068, RFC 9728). */
export interface ResourceServer extends Metadata {
  /** Our public URL. */
  readonly resource: string
  /** Names of our scopes at the issuer. */
  readonly scopeNames: Readonly<Record<Scope, string>>
  /** Rejects with `RejectedError`: 401 for an invalid token, 503 if it cannot be verified. */
  authenticate(token: string): Promise<Principal>
}

/** Asymmetric algorithms only: with a symmetric one, a public key could be used as the secret. */
const tokenAlgorithms: readonly string[] = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

const clockToleranceSeconds = 30
const plainName = /^[a-zA-Z0-9][\w-]{0,39}$/

/** @throws {HttpEndpointError} `bad_oauth` */
export function createResourceServer(options: ResourceServerOptions): ResourceServer {
  const { issuer, audience, jwksUri, profileClaim, nameClaim = 'sub' } = options
  const { fetch = globalThis.fetch, onLog = () => {} } = options
  const algorithms = [...(options.algorithms ?? tokenAlgorithms)]
  const scopeNames = Object.fromEntries(
    allScopes.map((scope) => [scope, options.scopes?.[scope] ?? scope]),
  ) as Record<Scope, string>
  const resource = options.resource ?? audience
  check(options, resource, algorithms, scopeNames)
  const base = profilesBelow(resource)
  const keysOf = createIssuerKeys({ issuer, jwksUri, fetch, onLog })

  async function verify(token: string): Promise<JWTPayload> {
    const { jwtVerify, decodeProtectedHeader } = await import('jose')
    try {
      const { typ } = decodeProtectedHeader(token)
      if (!isAccessToken(typ)) throw invalidToken('jwt_typ')
      const { payload } = await jwtVerify(token, await keysOf(), {
        issuer,
        algorithms,
        clockTolerance: clockToleranceSeconds,
        requiredClaims: ['exp', 'aud'],
      })
      // A token that is bound to a key is no bearer token (RFC 7800): its proof is not checked here.
      if (payload['cnf'] !== undefined) throw invalidToken('jwt_bound')
      return payload
    } catch (error) {
      throw rejectionOf(error)
    }
  }

  /** The audience may be the URL of a profile: the token is valid for that profile only. */
  function profileIn(claims: JWTPayload): string | undefined {
    const audiences = [claims.aud ?? []].flat().filter((text) => typeof text === 'string')
    const isForAll = audiences.includes(audience)
    const byAudience =
      isForAll || base === undefined
        ? undefined
        : audiences.find((candidate) => candidate.startsWith(`${base}/`))?.slice(base.length + 1)
    if (!isForAll && !plainName.test(byAudience ?? '')) throw invalidToken('jwt_aud')
    if (profileClaim === undefined) return byAudience
    const [byClaim, ...more] = [claims[profileClaim]].flat()
    const isOne = typeof byClaim === 'string' && plainName.test(byClaim) && more.length === 0
    if (!isOne || (byAudience !== undefined && byAudience !== byClaim))
      throw invalidToken('jwt_profile')
    return byClaim
  }

  return {
    ...createMetadata(resource, issuer, [scopeNames.mcp]),
    resource,
    scopeNames,
    async authenticate(token) {
      const claims = await verify(token)
      const profile = profileIn(claims)
      const claimedNames = namesIn(claims)
      const name = claims[nameClaim]
      if (typeof name !== 'string' || name === '') throw invalidToken('jwt_name')
      return {
        kind: 'jwt',
        // Sanitized names of different users can be equal.
        id: hash('sha256', `${claims.iss}\0${name}`, 'base64url').slice(0, 12),
        name: safely(name, 100),
        profile,
        scopes: scopesOf(
          allScopes.filter((scope) => claimedNames.has(scopeNames[scope])),
          profile,
        ),
        validUntil: (claims.exp ?? 0) * 1_000,
      }
    },
  }
}

/** `scope` of RFC 9068, or `scp` of some issuers. */
function namesIn({ scope, scp }: JWTPayload): ReadonlySet<string> {
  const texts = [scope, scp].flat().filter((claim) => typeof claim === 'string')
  return new Set(texts.flatMap((text) => text.split(' ')))
}

const isAccessToken = (typ: unknown): boolean =>
  typ === undefined || (typeof typ === 'string' && /^(?:(?:application\/)?at\+jwt|jwt)$/i.test(typ))

const reasons: Readonly<Record<string, string>> = {
  ERR_JWT_EXPIRED: 'jwt_expired',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'jwt_signature',
  ERR_JOSE_ALG_NOT_ALLOWED: 'jwt_algorithm',
  ERR_JOSE_NOT_SUPPORTED: 'jwt_algorithm',
  ERR_JWKS_NO_MATCHING_KEY: 'jwt_key',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'jwt_key',
}

/** Errors of the issuer, not of the token. */
const issuerErrors: readonly string[] = ['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC']

function rejectionOf(error: unknown): unknown {
  const { code, claim } = error as { code?: unknown; claim?: unknown }
  if (error instanceof RejectedError || typeof code !== 'string') {
    // A text that is not a token cannot be decoded.
    return error instanceof TypeError ? invalidToken('jwt_malformed') : error
  }
  if (issuerErrors.includes(code))
    return new RejectedError(
      'keys_unreachable',
      503,
      'Tokens cannot be verified at the moment. Try again later.',
    )
  if (code === 'ERR_JWT_CLAIM_VALIDATION_FAILED')
    return invalidToken(`jwt_${safely(String(claim), 20)}`)
  return code.startsWith('ERR_J') ? invalidToken(reasons[code] ?? 'jwt_malformed') : error
}

function check(
  { issuer, jwksUri }: ResourceServerOptions,
  resource: string,
  algorithms: readonly string[],
  scopeNames: Readonly<Record<Scope, string>>,
): void {
  const fail = (what: string): never => {
    throw new HttpEndpointError('bad_oauth', `oauth.${what}`)
  }
  const isUrl = 'must be an https URL, or an http URL of this machine'
  if (!isSafeUrl(issuer)) fail(`issuer ${isUrl}, got ${issuer}.`)
  if (jwksUri !== undefined && !isSafeUrl(jwksUri)) fail(`jwksUri ${isUrl}, got ${jwksUri}.`)
  if (!isSafeUrl(resource) || new URL(resource).search !== '')
    fail(`resource ${isUrl}, without a query, got ${resource}. It defaults to the audience.`)
  const wrong = algorithms.find((algorithm) => !tokenAlgorithms.includes(algorithm))
  if (wrong !== undefined)
    fail(`algorithms must be one or more of ${tokenAlgorithms.join(', ')}, got ${wrong}.`)
  for (const name of Object.values(scopeNames))
    if (!/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(name))
      fail(`scopes must be valid OAuth scope names, got ${name}.`)
}
