import type { IncomingMessage } from 'node:http'
import { RefusedError } from '../refusals/refused-error.ts'

/** A body that others could take to end elsewhere. The parser refuses the rest. @throws {RefusedError} */
export function checkFraming({ headers }: IncomingMessage): void {
  const encoding = headers['transfer-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked')
    throw new RefusedError('malformed', 400, 'A body comes as it is, or in chunks.', {
      headers: { connection: 'close' },
    })
}
