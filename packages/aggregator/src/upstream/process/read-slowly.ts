import type { Readable } from 'node:stream'

/** Who writes more waits; nobody reads so much of what a server has to say of itself. */
const mostPerSecond = 1024 * 1024
const secondMs = 1_000

/**
 * Read text, but not more than about a megabyte a second: reading alone keeps a process busy when
 * another one writes as fast as it can. What is left when that one is over is read at once.
 */
export function readSlowly(
  stream: Readable,
  onText: (text: string) => void,
  over: Promise<unknown>,
): void {
  let read = 0
  let begunAt = 0
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const goOn = (): void => {
    clearTimeout(timer)
    read = 0
    stream.resume()
  }
  void over.then(() => {
    isOver = true
    goOn()
  })
  stream.setEncoding('utf8').on('data', (text: string) => {
    const now = performance.now()
    if (now - begunAt >= secondMs) {
      begunAt = now
      read = 0
    }
    read += text.length
    onText(text)
    if (read < mostPerSecond || isOver) return
    stream.pause()
    clearTimeout(timer)
    timer = setTimeout(goOn, begunAt + secondMs - now).unref()
  })
}
