import { hash } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { DoorError } from '../door-error.ts'
import { safely } from '../refusals/refusal-notes.ts'
import { RefusedError } from '../refusals/refused-error.ts'
import { allScopes, type Scope, scopesOf, type Visitor } from '../visitors/visitor.ts'
import { createIssuerKeys, isSafeUrl } from './issuer-keys.ts'
import { createMetadata, type Metadata, profilesBelow } from './metadata.ts'

export interface OAuthSettings {
  /** Of the access tokens, exactly as they name it. */
  issuer: string
  /** What they have to be for. */
  audience: string
  /** The address clients know us by; the audience if that is one. */
  resource?: string | undefined
  /** Where the issuer's keys are; asked of the issuer by default. */
  jwksUri?: string | undefined
  /** What ours are called there. Default the same. */
  scopes?: { readonly [scope in Scope]?: string | undefined } | undefined
  /** The claim that names the profile. If it is given, every token has to have it. */
  profileClaim?: string | undefined
  /** Every token has to have it. Default `sub`. */
  nameClaim?: string | undefined
  /** Default all that sign with a private key. */
  algorithms?: readonly string[] | undefined
}

export interface ResourceServerOptions extends OAuthSettings {
  fetch?: typeof globalThis.fetch | undefined
  onLog?: ((text: string) => void) | undefined
}

/** Lets those in who have an access token of an OAuth authorization server (RFC 9068, RFC 9728). */
export interface ResourceServer extends Metadata {
  /** The address clients know us by. */
  readonly resource: string
  /** What scopes are called there. */
  readonly scopeNames: Readonly<Record<Scope, string>>
  /** Rejects with `RefusedError`: 401 for a token that is not valid, 503 if that cannot be known. */
  visitorOf(token: string): Promise<Visitor>
}

/** Signed with what only the issuer has: a public key is nobody's secret. */
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

/** @throws {DoorError} `bad_oauth` */
export function createResourceServer(options: ResourceServerOptions): ResourceServer {
  const { issuer, audience, jwksUri, profileClaim, nameClaim = 'sub' } = options
  const { fetch = globalThis.fetch, onLog = () => {} } = options
  const algorithms = [...(options.algorithms ?? tokenAlgorithms)]
  const scopeNames = Object.fromEntries(
    allScopes.map((scope) => [scope, options.scopes?.[scope] ?? scope]),
  ) as Record<Scope, string>
  const resource = options.resource ?? audience
  check({ issuer, resource, jwksUri, algorithms, scopeNames })
  const base = profilesBelow(resource)
  const keysOf = createIssuerKeys({ issuer, jwksUri, fetch, onLog })

  async function verify(token: string): Promise<JWTPayload> {
    const { jwtVerify, decodeProtectedHeader } = await import('jose')
    try {
      const { typ } = decodeProtectedHeader(token)
      if (!isAccessToken(typ)) throw invalid('jwt_typ')
      const { payload } = await jwtVerify(token, await keysOf(), {
        issuer,
        algorithms,
        clockTolerance: clockToleranceSeconds,
        requiredClaims: ['exp', 'aud'],
      })
      return payload
    } catch (error) {
      throw refusalOf(error)
    }
  }

  /** A token may be for one profile by its audience: the address of that profile. */
  function profileIn(claims: JWTPayload): string | undefined {
    const audiences = [claims.aud ?? []].flat()
    const isForAll = audiences.includes(audience)
    const byAudience =
      isForAll || base === undefined
        ? undefined
        : audiences.find((one) => one.startsWith(`${base}/`))?.slice(base.length + 1)
    if (!isForAll && !plainName.test(byAudience ?? '')) throw invalid('jwt_aud')
    if (profileClaim === undefined) return byAudience
    const [byClaim, ...more] = [claims[profileClaim]].flat()
    const isOne = typeof byClaim === 'string' && plainName.test(byClaim) && more.length === 0
    if (!isOne || (byAudience !== undefined && byAudience !== byClaim)) throw invalid('jwt_profile')
    return byClaim
  }

  return {
    ...createMetadata(resource, issuer, [scopeNames.mcp]),
    resource,
    scopeNames,
    async visitorOf(token) {
      const claims = await verify(token)
      const profile = profileIn(claims)
      const given = namesIn(claims)
      const name = claims[nameClaim]
      if (typeof name !== 'string' || name === '') throw invalid('jwt_name')
      return {
        kind: 'jwt',
        // What can be shown of two names may be the same.
        id: hash('sha256', `${claims.iss}\0${name}`, 'base64url').slice(0, 12),
        name: safely(name, 100),
        profile,
        scopes: scopesOf(
          allScopes.filter((scope) => given.has(scopeNames[scope])),
          profile,
        ),
        validUntil: (claims.exp ?? 0) * 1_000,
      }
    },
  }
}

/** `scope` of RFC 9068, or `scp` as some issuers have it. */
function namesIn({ scope, scp }: JWTPayload): ReadonlySet<string> {
  const texts = [scope, scp].flat().filter((one) => typeof one === 'string')
  return new Set(texts.flatMap((text) => text.split(' ')))
}

const isAccessToken = (typ: unknown): boolean =>
  typ === undefined || (typeof typ === 'string' && /^(?:(?:application\/)?at\+jwt|jwt)$/i.test(typ))

const invalid = (reason: string): RefusedError =>
  new RefusedError(reason, 401, 'The bearer token is not valid.', { error: 'invalid_token' })

const reasons: Readonly<Record<string, string>> = {
  ERR_JWT_EXPIRED: 'jwt_expired',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'jwt_signature',
  ERR_JOSE_ALG_NOT_ALLOWED: 'jwt_algorithm',
  ERR_JOSE_NOT_SUPPORTED: 'jwt_algorithm',
  ERR_JWKS_NO_MATCHING_KEY: 'jwt_key',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'jwt_key',
}

/** Of the issuer, not of the token. */
const issuerErrors: readonly string[] = ['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC']

function refusalOf(error: unknown): unknown {
  const { code, claim } = error as { code?: unknown; claim?: unknown }
  if (error instanceof RefusedError || typeof code !== 'string') {
    // What is no token cannot be read at all.
    return error instanceof TypeError ? invalid('jwt_malformed') : error
  }
  if (issuerErrors.includes(code))
    return new RefusedError('keys_unreachable', 503, 'Tokens cannot be checked now.')
  if (code === 'ERR_JWT_CLAIM_VALIDATION_FAILED') return invalid(`jwt_${safely(String(claim), 20)}`)
  return code.startsWith('ERR_J') ? invalid(reasons[code] ?? 'jwt_malformed') : error
}

function check(given: {
  issuer: string
  resource: string
  jwksUri: string | undefined
  algorithms: readonly string[]
  scopeNames: Readonly<Record<Scope, string>>
}): void {
  const fail = (what: string): never => {
    throw new DoorError('bad_oauth', `oauth.${what}`)
  }
  const { issuer, resource, jwksUri, algorithms, scopeNames } = given
  const isUrl = 'has to be an https URL, or an http one of this machine'
  if (!isSafeUrl(issuer)) fail(`issuer ${issuer}: it ${isUrl}.`)
  if (jwksUri !== undefined && !isSafeUrl(jwksUri)) fail(`jwksUri ${jwksUri}: it ${isUrl}.`)
  if (!isSafeUrl(resource) || new URL(resource).search !== '')
    fail(`resource ${resource}: it ${isUrl}, without a query; the audience is taken if it is one.`)
  const wrong = algorithms.find((one) => !tokenAlgorithms.includes(one))
  if (wrong !== undefined) fail(`algorithms ${wrong}: it is none of ${tokenAlgorithms.join(', ')}.`)
  for (const name of Object.values(scopeNames))
    if (!/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(name)) fail(`scopes ${name}: it is no name of a scope.`)
}
