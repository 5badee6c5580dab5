import type { IncomingMessage } from 'node:http'
import { RejectedError } from '../rejections/rejected-error.ts'

/**
 * Prevents request smuggling: only `chunked` is accepted. The parser rejects the rest. @throws
 * {RejectedError}
 */
export function checkFraming({ headers }: IncomingMessage): void {
  const encoding = headers['transfer-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked')
    throw new RejectedError('malformed', 400, 'Transfer-Encoding must be chunked.', {
      headers: { connection: 'close' },
    })
}
