import type { Writable } from 'node:stream'

/** `isAlone`: the text was written alone, with nothing before it in the queue of the stream. */
type OnWritten = (error: Error | null | undefined, isAlone: boolean) => void

/** Characters that are not held back until the tick ends. */
const maxHeld = 64 * 1024

/**
 * Returns `stream.write` for many short texts: those of a tick are written when it ends, with one
 * system call. Returns false while the stream waits for `drain`.
 */
export function writeTogether(stream: Writable): (text: string, onWritten?: OnWritten) => boolean {
  let buffer = ''
  let listeners: OnWritten[] = []
  let count = 0

  function flush(): void {
    if (count === 0) return
    const isAlone = count === 1 && stream.writableLength === 0
    const done = listeners
    stream.write(buffer, (error) => {
      for (const onWritten of done) onWritten(error, isAlone)
    })
    buffer = ''
    listeners = []
    count = 0
  }

  return (text, onWritten) => {
    if (count++ === 0) process.nextTick(flush)
    buffer += text
    if (onWritten) listeners.push(onWritten)
    if (buffer.length > maxHeld) flush()
    return !stream.writableNeedDrain
  }
}
