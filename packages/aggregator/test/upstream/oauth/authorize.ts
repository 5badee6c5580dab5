import type { createClients } from './clients.ts'
import { isRefusal, refusal } from './refusal.ts'
import type { AuthorizationSettings } from './settings.ts'
import type { createTokens } from './tokens.ts'

/** One time that /authorize was opened. */
export interface Authorization {
  user: string
  clientId: string
  redirectUri: string
  scope: string | undefined
  state: string | undefined
  resource: string | undefined
  params: Record<string, string>
}

interface Authority {
  issuer: string
  settings: AuthorizationSettings
  clients: ReturnType<typeof createClients>
  tokens: ReturnType<typeof createTokens>
  resources: ReadonlySet<string>
  authorizations: Authorization[]
}

/** Approves at once, for the user whom the browser is signed in as. */
export function authorize(request: Request, authority: Authority): Response {
  const { issuer, settings, clients, tokens, resources, authorizations } = authority
  const { searchParams: params } = new URL(request.url)
  const get = (name: string): string | undefined => params.get(name) ?? undefined
  const user = /\buser=(\w+)/.exec(request.headers.get('cookie') ?? '')?.[1] ?? settings.users[0]
  const redirectUri = get('redirect_uri') ?? ''
  authorizations.push({
    user: String(user),
    clientId: get('client_id') ?? '',
    redirectUri,
    scope: get('scope'),
    state: get('state'),
    resource: get('resource'),
    params: Object.fromEntries(params),
  })
  // Who the client is and where it is has to be right before anyone is sent there.
  const client = clients.find(get('client_id') ?? '')
  if (!URL.canParse(redirectUri) || !clients.mayUse(client, redirectUri))
    throw refusal('invalid_request', `the redirect_uri ${redirectUri} is not registered`)
  const callback = new URL(redirectUri)
  const answer = (fields: Record<string, string | undefined>): Response => {
    const all = { ...fields, state: get('state'), ...(settings.tellsIssuer && { iss: issuer }) }
    for (const [name, value] of Object.entries(all))
      if (value !== undefined) callback.searchParams.set(name, value)
    settings.alterCallback(callback)
    return new Response(null, { status: 302, headers: { location: callback.href } })
  }
  try {
    const challenge = get('code_challenge') ?? ''
    if (get('response_type') !== 'code') throw refusal('unsupported_response_type', 'only code')
    if (get('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(challenge))
      throw refusal('invalid_request', 'PKCE with S256 is needed')
    const resource = get('resource') ?? ''
    if (!resources.has(resource)) throw refusal('invalid_target', `no resource ${resource}`)
    const asked = get('scope')?.split(' ') ?? settings.scopes.slice(0, 1)
    if (!asked.every((scope) => settings.scopes.includes(scope)))
      throw refusal('invalid_scope', `of ${asked.join(' ')} not all is known`)
    if (user === undefined || !settings.users.includes(user))
      throw refusal('access_denied', 'no user is signed in')
    const scopes = settings.consent(user, asked)
    if (scopes === undefined) throw refusal('access_denied', `${user} said no`)
    const clientId = client.client_id
    return answer({
      code: tokens.createCode({ user, clientId, resource, scopes, redirectUri, challenge }),
    })
  } catch (error) {
    if (!isRefusal(error)) throw error
    return answer({ error: error.code, error_description: error.message })
  }
}
