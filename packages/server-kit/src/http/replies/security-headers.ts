import type { ServerResponse } from 'node:http'
import type { Route } from '../routes/route.ts'

const always: readonly (readonly [string, string])[] = [
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['x-frame-options', 'DENY'],
]

/** Allows content of this origin only, and no framing. */
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

/** Sets the headers of all replies, or those that a kind of route adds. */
export function setSecurityHeaders(response: ServerResponse, replies?: Route['replies']): void {
  if (replies === undefined) for (const [name, value] of always) response.setHeader(name, value)
  else if (replies === 'page') response.setHeader('content-security-policy', contentPolicy)
  else if (replies === 'data') response.setHeader('cache-control', 'no-store')
}
