import CachePolicy from 'http-cache-semantics'
import type { HttpResponse } from '../../fetch/http-client.ts'
import type { StoredPage } from './page-store.ts'

export const preferMarkdown =
  'text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.8, text/plain;q=0.5, */*;q=0.1'

/** The caching policy of a response (RFC 9111); absent when it must not be stored. */
export function policyOf({ url, sent, status, headers }: HttpResponse): { policy?: object } {
  const policy = new CachePolicy(
    { url, method: 'GET', headers: sent },
    { status, headers },
    { shared: false },
  )
  return policy.storable() ? { policy: policy.toObject() } : {}
}

/** The cached page with the freshness that a 304 response gives it. */
export function revalidated(
  cached: StoredPage,
  { url, sent, status, headers }: HttpResponse,
): StoredPage {
  const { policy } = fromObject(cached.policy ?? {}).revalidatedPolicy(
    { url, method: 'GET', headers: sent },
    { status, headers },
  )
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
