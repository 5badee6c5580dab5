const mostLines = 50
const longestLine = 500
/** Of a line without end; what is secret in it is found before it is cut. */
const longestRest = 4_000

/** The last lines a server wrote to its error output, without secrets. */
export interface StderrTail {
  add(text: string): void
  /** Oldest first. */
  lines(count?: number): string[]
}

export function createStderrTail(
  redact: (text: string) => string,
  onLine: (line: string) => void = () => {},
): StderrTail {
  const lines: string[] = []
  let rest = ''
  return {
    add(text) {
      const parts = (rest + text).split(/\r?\n/)
      rest = (parts.pop() ?? '').slice(-longestRest)
      for (const line of parts) {
        if (line.trim() === '') continue
        const said = redact(line).slice(0, longestLine)
        lines.push(said)
        onLine(said)
      }
      if (lines.length > mostLines) lines.splice(0, lines.length - mostLines)
    },
    lines(count = mostLines) {
      const all = rest.trim() === '' ? lines : [...lines, redact(rest).slice(-longestLine)]
      return all.slice(-count)
    },
  }
}
