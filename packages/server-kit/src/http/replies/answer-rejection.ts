import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RejectedError } from '../rejections/rejected-error.ts'
import type { Route } from '../routes/route.ts'

/** Bytes of an unread body; the connection is closed after a longer one. */
const maxUnread = 64 * 1024

/** A problem document of RFC 9457 for data routes, otherwise a line of text. */
export function answerRejection(
  request: IncomingMessage,
  response: ServerResponse,
  { status, reason, message, headers }: RejectedError,
  { replies, challenge }: { replies: Route['replies']; challenge?: string },
): void {
  // The reply has begun: it can only be aborted.
  if (response.headersSent) return void response.destroy()
  const isData = replies === 'data'
  // Clients do not learn why a credential was rejected.
  const code = status === 401 ? 'unauthorized' : reason
  const body = isData ? JSON.stringify({ title: message, status, code }) : message
  if (isLong(request)) response.shouldKeepAlive = false
  response.writeHead(status, {
    'content-type': isData ? 'application/problem+json' : 'text/plain; charset=utf-8',
    ...(challenge !== undefined && { 'www-authenticate': challenge }),
    ...headers,
  })
  response.end(`${body}\n`)
}

const isLong = ({ headers, complete }: IncomingMessage): boolean =>
  !complete &&
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > maxUnread)
