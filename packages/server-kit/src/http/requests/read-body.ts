import type { IncomingMessage } from 'node:http'
import { RejectedError } from '../rejections/rejections.ts'

/**
 * Reads the whole body of a request. @throws {RejectedError} 413, 408, or 400 if it is incomplete
 */
export async function readBody(
  request: IncomingMessage,
  { bytes, ms }: { bytes: number; ms: number },
): Promise<Buffer> {
  const tooLong = (): RejectedError =>
    new RejectedError('long_body', 413, `The body must have at most ${bytes} bytes.`)
  if (Number(request.headers['content-length']) > bytes) throw tooLong()
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const timer = setTimeout(
      () => end(new RejectedError('slow_body', 408, 'The body took too long.', hangUp)),
      ms,
    )
    const onData = (chunk: Buffer): void => {
      length += chunk.length
      if (length > bytes) end(tooLong())
      else chunks.push(chunk)
    }
    const onEnd = (): void => end(Buffer.concat(chunks, length))
    const onBroken = (): void =>
      end(new RejectedError('broken_body', 400, 'The body is incomplete.'))
    function end(outcome: Buffer | RejectedError): void {
      clearTimeout(timer)
      request.off('data', onData).off('end', onEnd).off('close', onBroken)
      if (outcome instanceof RejectedError) reject(outcome)
      else resolve(outcome)
    }
    request.on('data', onData).on('end', onEnd).on('close', onBroken).on('error', onBroken)
  })
}

const hangUp = { headers: { connection: 'close' } }
