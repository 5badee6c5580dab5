const mostLines = 50
const longestLine = 500

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
      rest = (parts.pop() ?? '').slice(-longestLine)
      for (const line of parts) {
        if (line.trim() === '') continue
        const said = redact(line).slice(0, longestLine)
        lines.push(said)
        onLine(said)
      }
      if (lines.length > mostLines) lines.splice(0, lines.length - mostLines)
    },
    lines(count = mostLines) {
      const all = rest.trim() === '' ? lines : [...lines, redact(rest)]
      return all.slice(-count)
    },
  }
}

/** Shorter values are words that happen to be said. */
const shortestSecret = 6

/** Replace values that must not be seen. */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const values = [...new Set(secrets)]
    .flatMap((value) => [value, value.replace(/^(?:Bearer|Basic|Token)\s+/i, '')])
    // Error output comes line by line, and values in whatever form they are printed.
    .flatMap((value) => [value, ...value.split(/\r?\n/)])
    .flatMap((value) => [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)])
    .filter((value) => value.length >= shortestSecret)
    .sort((a, b) => b.length - a.length)
  return (text) => values.reduce((said, value) => said.replaceAll(value, '[redacted]'), text)
}
