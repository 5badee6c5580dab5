import type { Writable } from 'node:stream'

/**
 * Returns `stream.write` for many short texts: the first of a tick is written at once, those after
 * it together when the tick ends, with one system call.
 */
export function writeTogether(
  stream: Writable,
): (text: string, onWritten?: (error?: Error | null) => void) => boolean {
  let isFirst = true
  const end = (): void => {
    isFirst = true
    if (stream.writableCorked > 0) stream.uncork()
  }
  return (text, onWritten) => {
    if (isFirst) {
      isFirst = false
      process.nextTick(end)
    } else if (stream.writableCorked === 0) stream.cork()
    return stream.write(text, onWritten)
  }
}
