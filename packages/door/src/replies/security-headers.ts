import type { ServerResponse } from 'node:http'
import type { Route } from '../routes/route.ts'

const always: readonly (readonly [string, string])[] = [
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['x-frame-options', 'DENY'],
]

/** Everything from here, nothing from elsewhere, in no frame. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** Those of all replies, or what a route adds to them. */
export function setSecurityHeaders(response: ServerResponse, replies?: Route['replies']): void {
  if (replies === undefined) for (const [name, value] of always) response.setHeader(name, value)
  else if (replies === 'page') response.setHeader('content-security-policy', contentPolicy)
  else if (replies === 'data') response.setHeader('cache-control', 'no-store')
}
