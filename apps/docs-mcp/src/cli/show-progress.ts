import type { IndexProgress } from '@pith-mcp/docs'

const shownEveryMs = 200

/** One line on a terminal: pages, sections, MB of text and the estimated time left. */
export function createProgressLine() {
  const { stderr } = process
  const start = Date.now()
  let shownAt = 0
  return {
    show(progress: IndexProgress): void {
      const now = Date.now()
      const isDue = now - shownAt >= shownEveryMs || progress.done === progress.total
      if (!stderr.isTTY || !isDue) return
      shownAt = now
      stderr.write(`\r\x1b[K${progressText(progress, now - start)}`)
    },
    clear(): void {
      if (stderr.isTTY) stderr.write('\r\x1b[K')
    },
  }
}

function progressText(
  { done, total, sections, characters }: IndexProgress,
  elapsedMs: number,
): string {
  const remainingMs = total > done && done > 0 ? ((total - done) * elapsedMs) / done : 0
  const figures = [
    `${done.toLocaleString('en-US')}${total > 0 ? ` of ${total.toLocaleString('en-US')}` : ''} pages`,
    `${sections.toLocaleString('en-US')} sections`,
    `${(characters / 2 ** 20).toFixed(1)} MB`,
    ...(remainingMs > 0 ? [`${timeText(remainingMs)} left`] : []),
  ]
  return figures.join(', ')
}

export function timeText(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000)
  return seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
}
