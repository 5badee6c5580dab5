import { escapeInvisible } from '../protocol/escape-invisible.ts'

const maxLines = 50
const maxLineLength = 500
/** Characters of a line that are read: secrets are redacted before it is cut to `maxLineLength`. */
const maxReadLength = 4_000
const maxSecretLength = 2_000
/** More lines in a second are only counted. */
const maxPerSecond = 200
/** Of the counted lines these last ones are kept: they may say why the server ended. */
const lastOnes = 10
const maxSkippedLength = 8_000
const secondMs = 1_000

/** The last lines of a server's standard error, redacted and without control characters. */
export interface StderrTail {
  /** Any amount of text; chunks need not end with a line. */
  add(text: string): void
  /** Oldest first. */
  lines(count?: number): string[]
}

/** `onLine` is called for about 200 lines of 500 characters per second at most. */
export function createStderrTail(
  redact: (text: string) => string,
  onLine: (line: string) => void = () => {},
): StderrTail {
  const lines: string[] = []
  /** The beginning of an unfinished line. */
  let rest = ''
  let begunAt = Number.NEGATIVE_INFINITY
  let seen = 0
  let skipped = 0
  let lastSkipped = ''
  let isCut = false
  let timer: NodeJS.Timeout | undefined

  function shownLine(line: string): string {
    const redacted = redact(line.slice(0, maxReadLength))
    // The end of a cut line may be the beginning of a secret.
    const end = line.length < maxReadLength ? redacted.length : redacted.length - maxSecretLength
    const shown = redacted.slice(0, Math.max(0, Math.min(end, maxLineLength)))
    return escapeInvisible(shown.replaceAll('\t', '  ')).slice(0, maxLineLength)
  }

  function describe(line: string): void {
    lines.push(line)
    if (lines.length > maxLines) lines.shift()
    onLine(line)
  }

  function ofSkipped(): string[] {
    if (skipped === 0) return []
    const whole = lastSkipped.split(lineEnd).slice(isCut ? 1 : 0)
    const last = whole.filter(isSomething).slice(-lastOnes)
    const left = skipped - last.length
    const seconds = Math.max(1, Math.round((performance.now() - begunAt) / secondMs))
    const count = `${left.toLocaleString('en-US')} more ${left === 1 ? 'line' : 'lines'}`
    return [...(left > 0 ? [`… ${count} in ${seconds} s`] : []), ...last.map(shownLine)]
  }

  function beginSecond(): void {
    clearTimeout(timer)
    timer = undefined
    const summary = ofSkipped()
    begunAt = performance.now()
    seen = summary.length
    skipped = 0
    lastSkipped = ''
    isCut = false
    for (const line of summary) describe(line)
  }

  /** Skipped text is not split into lines. */
  function skip(text: string): void {
    skipped += countEnds(text)
    const lastEnd = endOf(text)
    const last = lastSkipped + rest + text.slice(Math.max(0, lastEnd - maxSkippedLength), lastEnd)
    isCut ||= last.length > maxSkippedLength || lastEnd > maxSkippedLength
    lastSkipped = own(last.slice(-maxSkippedLength))
    timer ??= setTimeout(beginSecond, secondMs).unref()
  }

  return {
    add(text) {
      if (performance.now() - begunAt >= secondMs) beginSecond()
      let from = 0
      const ends = new RegExp(lineEnd, 'g')
      for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
        const line = rest + text.slice(from, Math.min(end.index, from + maxReadLength))
        if (seen >= maxPerSecond && isSomething(line)) {
          skip(text.slice(from))
          break
        }
        rest = ''
        from = ends.lastIndex
        if (!isSomething(line)) continue
        seen++
        describe(shownLine(line))
      }
      const begin = Math.max(from, endOf(text))
      if (begin > from) rest = ''
      if (rest.length < maxReadLength)
        rest = own((rest + text.slice(begin, begin + maxReadLength)).slice(0, maxReadLength))
    },
    lines(count = maxLines) {
      const all = [...lines, ...ofSkipped(), ...(isSomething(rest) ? [shownLine(rest)] : [])]
      return all.slice(-count)
    },
  }
}

const lineEnd = /\r\n?|\n/

const isSomething = (line: string): boolean => line.trim() !== ''

/** Where the unfinished line begins. */
const endOf = (text: string): number => Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1

function countEnds(text: string): number {
  let count = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 10 || (code === 13 && text.charCodeAt(index + 1) !== 10)) count++
  }
  return count
}

/** Copies a part of a text: otherwise it keeps the whole text in memory. */
const own = (text: string): string => Buffer.from(text).toString()
