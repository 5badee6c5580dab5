import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RefusedError } from '../refusals/refused-error.ts'
import type { Route } from '../routes/route.ts'

/** So much of a body that nobody reads may come before its connection is closed. */
const mostUnread = 64 * 1024

/** As a problem of RFC 9457 where data was asked for, else as a line of text. */
export function answerRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  { status, reason, message, headers }: RefusedError,
  { replies, challenge }: { replies: Route['replies']; challenge?: string },
): void {
  // Nobody can be told any more.
  if (response.headersSent) return void response.destroy()
  const isData = replies === 'data'
  // What is wrong with a credential is nothing to tell whoever tries one.
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
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > mostUnread)
