import type { IncomingMessage } from 'node:http'
import { RefusedError } from '../refusals/refused-error.ts'
import type { Visitor } from '../visitors/visitor.ts'

/**
 * A write that a browser may have been talked into has to come from one of our own pages, as JSON,
 * which no form can send. The origin itself is checked before. @throws {RefusedError}
 */
export function checkWrite(request: IncomingMessage, visitor: Visitor): void {
  const { method = '', headers } = request
  if (['GET', 'HEAD', 'OPTIONS'].includes(method) || isByItself(request, visitor)) return
  if (!headers.origin)
    throw new RefusedError('no_origin', 403, 'A change needs an Origin, or a bearer token.')
  const isEmpty =
    headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
  if (method === 'DELETE' && isEmpty) return
  if (!/^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? ''))
    throw new RefusedError('content_type', 415, 'A change is sent as application/json.')
}

/** A header of its own is nothing a page elsewhere can add; a cookie comes along by itself. */
function isByItself({ headers }: IncomingMessage, { kind }: Visitor): boolean {
  if (kind === 'session') return false
  return headers.authorization !== undefined
}
