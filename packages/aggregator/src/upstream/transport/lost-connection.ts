import { setTimeout as sleep } from 'node:timers/promises'
import { SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import { Undelivered } from '../process/undelivered.ts'

export const isUndelivered = (error: unknown): boolean =>
  causesOf(error).some((cause) => cause instanceof Undelivered)

/** A process that does not read has most often ended; how it ended is known within this time. */
const endMs = 300

export const endedWithin = (closed: Promise<string>): Promise<unknown> =>
  Promise.race([closed, sleep(endMs, undefined, { ref: false })])

/** The message was written together with others, some of which may have been read. */
export const isBrokenPipe = (error: unknown): boolean =>
  ['EPIPE', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END', 'ECONNRESET'].includes(
    (error as NodeJS.ErrnoException | null)?.code ?? '',
  )

/** True for a lost session: servers should answer 404, and some answer 400. */
export function hasForgotten(error: unknown): boolean {
  if (!(error instanceof SdkHttpError)) return false
  const text = String((error.data as { text?: unknown } | undefined)?.text ?? '')
  return error.status === 404 || (error.status === 400 && /session/i.test(text))
}

/** An error and its causes, outermost first; at most 6. */
export function causesOf(error: unknown): NodeJS.ErrnoException[] {
  const causes: Error[] = []
  for (let at = error; at instanceof Error && causes.length < 6; at = at.cause) causes.push(at)
  return causes
}

export const isNetworkError = (error: unknown): boolean =>
  error instanceof TypeError && /fetch failed|terminated|network/i.test(error.message)

export const isConnectionClosed = (error: unknown): boolean =>
  error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed
