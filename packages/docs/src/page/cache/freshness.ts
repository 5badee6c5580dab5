import CachePolicy from 'http-cache-semantics'
import type { HttpResponse } from '#fetch/http-client'
import type { StoredPage } from './page-store.ts'

export const preferMarkdown =
  'text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.8, text/plain;q=0.5, */*;q=0.1'

/** Headers of requests whose values a policy may have: what others `Vary` names may be secret. */
const publicHeaders = new Set(['accept', 'user-agent'])
/** Headers of responses that decide about freshness; others set cookies or sign addresses. */
const freshnessHeaders =
  /^(?:age|cache-control|date|etag|expires|last-modified|pragma|vary|warning)$/i

/** The caching policy of a response (RFC 9111); absent when it must not be stored. */
export function policyOf(response: HttpResponse): { policy?: object } {
  const { request, reply } = storedOf(response)
  const policy = new CachePolicy(request, reply, { shared: false })
  return policy.storable() ? { policy: policy.toObject() } : {}
}

/** Without secrets: a hidden value still differs from a request without the header. */
function storedOf({ url, sent, status, headers }: HttpResponse) {
  const requestHeaders = Object.entries(sent).map(([name, value]) => {
    const key = name.toLowerCase()
    return [key, publicHeaders.has(key) ? value : 'hidden']
  })
  const replyHeaders = Object.entries(headers).filter(([name]) => freshnessHeaders.test(name))
  return {
    request: { url, method: 'GET', headers: Object.fromEntries(requestHeaders) },
    reply: { status, headers: Object.fromEntries(replyHeaders) },
  }
}

/** The cached page with the freshness that a 304 response gives it. */
export function revalidated(cached: StoredPage, response: HttpResponse): StoredPage {
  const { request, reply } = storedOf(response)
  const { policy } = fromObject(cached.policy ?? {}).revalidatedPolicy(request, reply)
  return { ...cached, fetchedAt: Date.now(), policy: policy.toObject() }
}

/** True when the page may be used without revalidation. */
export function isFresh({ policy, finalUrl }: StoredPage): boolean {
  if (!policy) return false
  return !fromObject(policy).evaluateRequest(sameRequest(finalUrl, policy)).revalidation
}

export function conditionsOf({ policy, finalUrl }: StoredPage): Record<string, string> | undefined {
  if (!policy) return undefined
  const headers = fromObject(policy).revalidationHeaders(sameRequest(finalUrl, policy))
  const conditions = Object.entries(headers).filter(([name]) =>
    ['if-none-match', 'if-modified-since'].includes(name),
  )
  return conditions.length > 0
    ? Object.fromEntries(conditions.map(([k, v]) => [k, String(v)]))
    : undefined
}

const fromObject = (policy: object): CachePolicy =>
  CachePolicy.fromObject(policy as CachePolicy.CachePolicyObject)

/** In the form that was requested, which the policy has if the server varies by `Accept`. */
const sameRequest = (url: string, policy: object) => ({
  url,
  method: 'GET',
  headers: { accept: (policy as CachePolicy.CachePolicyObject).reqh?.['accept'] ?? preferMarkdown },
})
