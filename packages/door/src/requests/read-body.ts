import type { IncomingMessage } from 'node:http'
import { RefusedError } from '../refusals/refused-error.ts'

interface BodyBounds {
  bytes: number
  ms: number
}

/** The body of a request, whole. @throws {RefusedError} 413, 408, or 400 for one that breaks off */
export async function readBody(
  request: IncomingMessage,
  { bytes, ms }: BodyBounds,
): Promise<Buffer> {
  const tooLong = (): RefusedError =>
    new RefusedError('long_body', 413, `A body has at most ${bytes} bytes.`)
  if (Number(request.headers['content-length']) > bytes) throw tooLong()
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const timer = setTimeout(
      () => end(new RefusedError('slow_body', 408, 'The body took too long.', hangUp)),
      ms,
    )
    const onData = (chunk: Buffer): void => {
      length += chunk.length
      if (length > bytes) end(tooLong())
      else chunks.push(chunk)
    }
    const onEnd = (): void => end(Buffer.concat(chunks, length))
    const onBroken = (): void => end(new RefusedError('broken_body', 400, 'The body broke off.'))
    function end(outcome: Buffer | RefusedError): void {
      clearTimeout(timer)
      request.off('data', onData).off('end', onEnd).off('close', onBroken)
      if (outcome instanceof RefusedError) reject(outcome)
      else resolve(outcome)
    }
    request.on('data', onData).on('end', onEnd).on('close', onBroken).on('error', onBroken)
  })
}

const hangUp = { headers: { connection: 'close' } }
