import type { IncomingMessage } from 'node:http'
import type { Principal } from '../auth/principals/principal.ts'
import { RejectedError } from '../rejections/rejected-error.ts'

/**
 * Prevents CSRF: a write needs an Origin, which is checked before, and JSON, which forms cannot
 * send.
 * @throws {RejectedError}
 */
export function checkWrite(request: IncomingMessage, principal: Principal): void {
  const { method = '', headers } = request
  if (['GET', 'HEAD', 'OPTIONS'].includes(method) || isByItself(request, principal)) return
  if (!headers.origin)
    throw new RejectedError('no_origin', 403, 'Changes require an Origin header or a bearer token.')
  const isEmpty =
    headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
  if (method === 'DELETE' && isEmpty) return
  if (!/^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? ''))
    throw new RejectedError('content_type', 415, 'Send changes as application/json.')
}

/** Pages of other sites cannot set this header; cookies are sent automatically. */
function isByItself({ headers }: IncomingMessage, { kind }: Principal): boolean {
  if (kind === 'session') return false
  return headers.authorization !== undefined
}
