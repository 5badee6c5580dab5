import { escapeInvisible } from '#servers/protocol/escape-invisible'

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
export type StderrTail = ReturnType<typeof createStderrTail>

/** `onLine` is called for about 200 lines of 500 characters per second at most. */
export function createStderrTail(
  redact: (text: string) => string,
  onLine: (line: string) => void = () => {},
) {
  const lines: string[] = []
  /** The beginning of an unfinished line. */
  let rest = ''
  /** Lines in this second. */
  let lineCount = 0
  let timer: NodeJS.Timeout | undefined
  const display = (line: string): string => shownLine(line, redact)
  const skipped = new SkippedLines(display)

  function describe(line: string): void {
    lines.push(line)
    if (lines.length > maxLines) lines.shift()
    onLine(line)
  }

  function beginSecond(): void {
    clearTimeout(timer)
    timer = undefined
    const summary = skipped.summary()
    skipped.restart()
    lineCount = summary.length
    for (const line of summary) describe(line)
  }

  /** Describes the lines of a text, until the second has too many. Returns where the rest begins. */
  function describeLines(text: string): number {
    let from = 0
    const ends = new RegExp(lineEnd, 'g')
    for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
      const line = rest + text.slice(from, Math.min(end.index, from + maxReadLength))
      if (lineCount >= maxPerSecond && isSomething(line)) {
        skipped.add(rest, text.slice(from))
        timer ??= setTimeout(beginSecond, secondMs).unref()
        break
      }
      rest = ''
      from = ends.lastIndex
      if (!isSomething(line)) continue
      lineCount++
      describe(display(line))
    }
    return from
  }

  return {
    /** Any amount of text; chunks need not end with a line. */
    add(text: string) {
      if (skipped.isSecondOver()) beginSecond()
      const from = describeLines(text)
      const begin = Math.max(from, endOf(text))
      if (begin > from) rest = ''
      if (rest.length < maxReadLength)
        rest = copyOf((rest + text.slice(begin, begin + maxReadLength)).slice(0, maxReadLength))
    },
    /** Oldest first. */
    lines(count: number = maxLines) {
      const all = [...lines, ...skipped.summary(), ...(isSomething(rest) ? [display(rest)] : [])]
      return all.slice(-count)
    },
  }
}

/** Lines beyond the limit of a second: counted, and the last ones kept. Not split into lines. */
class SkippedLines {
  readonly #display: (line: string) => string
  #begunAt = Number.NEGATIVE_INFINITY
  #count = 0
  #last = ''
  #isCut = false

  constructor(display: (line: string) => string) {
    this.#display = display
  }

  /** `rest`: the beginning of the first line. */
  add(rest: string, text: string): void {
    this.#count += countEnds(text)
    const lastEnd = endOf(text)
    const last = this.#last + rest + text.slice(Math.max(0, lastEnd - maxSkippedLength), lastEnd)
    this.#isCut ||= last.length > maxSkippedLength || lastEnd > maxSkippedLength
    this.#last = copyOf(last.slice(-maxSkippedLength))
  }

  isSecondOver(): boolean {
    return performance.now() - this.#begunAt >= secondMs
  }

  summary(): string[] {
    if (this.#count === 0) return []
    const tail = this.#last.split(lineEnd).slice(this.#isCut ? 1 : 0)
    const last = tail.filter(isSomething).slice(-lastOnes)
    const rest = this.#count - last.length
    const seconds = Math.max(1, Math.round((performance.now() - this.#begunAt) / secondMs))
    const count = `${rest.toLocaleString('en-US')} more ${rest === 1 ? 'line' : 'lines'}`
    return [...(rest > 0 ? [`… ${count} in ${seconds} s`] : []), ...last.map(this.#display)]
  }

  restart(): void {
    this.#begunAt = performance.now()
    this.#count = 0
    this.#last = ''
    this.#isCut = false
  }
}

function shownLine(line: string, redact: (text: string) => string): string {
  const redacted = redact(line.slice(0, maxReadLength))
  // The end of a cut line may be the beginning of a secret.
  const end = line.length < maxReadLength ? redacted.length : redacted.length - maxSecretLength
  const excerpt = redacted.slice(0, Math.max(0, Math.min(end, maxLineLength)))
  return escapeInvisible(excerpt.replaceAll('\t', '  ')).slice(0, maxLineLength)
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
const copyOf = (text: string): string => Buffer.from(text).toString()
