import type { Readable } from 'node:stream'

/** Characters per second. Servers that write more to their standard error are paused. */
const maxPerSecond = 1024 * 1024
const secondMs = 1_000

/**
 * Reads text at about a megabyte per second at most: reading without a limit keeps this process
 * busy when another one writes as fast as it can. After `over`, the rest is read without a limit.
 */
export function throttle(
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
    if (read < maxPerSecond || isOver) return
    stream.pause()
    clearTimeout(timer)
    timer = setTimeout(goOn, begunAt + secondMs - now).unref()
  })
}
