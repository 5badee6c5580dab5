import { visible } from '../protocol/visible.ts'

const mostLines = 50
const longestLine = 500
/** Of a line the beginning is read; what is secret in it is found before it is cut again. */
const longestRead = 4_000
const longestSecret = 2_000
/** More of them are counted. */
const mostPerSecond = 200
/** Of those that are counted, the last ones are looked at: they may say why it ended. */
const lastOnes = 10
const longestSkipped = 8_000
const secondMs = 1_000

/** The last lines a server wrote to its error output, without secrets and without control characters. */
export interface StderrTail {
  /** Any amount, in pieces that need not be lines. */
  add(text: string): void
  /** Oldest first. */
  lines(count?: number): string[]
}

/** What `onLine` is told is as bounded as what is kept: some 200 lines a second, of 500 characters. */
export function createStderrTail(
  redact: (text: string) => string,
  onLine: (line: string) => void = () => {},
): StderrTail {
  const lines: string[] = []
  /** The beginning of a line that has not ended. */
  let rest = ''
  let begunAt = Number.NEGATIVE_INFINITY
  let seen = 0
  let skipped = 0
  let lastSkipped = ''
  let isCut = false
  let timer: NodeJS.Timeout | undefined

  function shownLine(line: string): string {
    const said = redact(line.slice(0, longestRead))
    // At its end may be the beginning of a secret.
    const end = line.length < longestRead ? said.length : said.length - longestSecret
    const shown = said.slice(0, Math.max(0, Math.min(end, longestLine)))
    return visible(shown.replaceAll('\t', '  ')).slice(0, longestLine)
  }

  function say(line: string): void {
    lines.push(line)
    if (lines.length > mostLines) lines.shift()
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
    const said = ofSkipped()
    begunAt = performance.now()
    seen = said.length
    skipped = 0
    lastSkipped = ''
    isCut = false
    for (const line of said) say(line)
  }

  /** Nothing is made of what is skipped. */
  function skip(text: string): void {
    skipped += countEnds(text)
    const lastEnd = endOf(text)
    const last = lastSkipped + rest + text.slice(Math.max(0, lastEnd - longestSkipped), lastEnd)
    isCut ||= last.length > longestSkipped || lastEnd > longestSkipped
    lastSkipped = own(last.slice(-longestSkipped))
    timer ??= setTimeout(beginSecond, secondMs).unref()
  }

  return {
    add(text) {
      if (performance.now() - begunAt >= secondMs) beginSecond()
      let from = 0
      const ends = new RegExp(lineEnd, 'g')
      for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
        const line = rest + text.slice(from, Math.min(end.index, from + longestRead))
        if (seen >= mostPerSecond && isSomething(line)) {
          skip(text.slice(from))
          break
        }
        rest = ''
        from = ends.lastIndex
        if (!isSomething(line)) continue
        seen++
        say(shownLine(line))
      }
      const begin = Math.max(from, endOf(text))
      if (begin > from) rest = ''
      if (rest.length < longestRead)
        rest = own((rest + text.slice(begin, begin + longestRead)).slice(0, longestRead))
    },
    lines(count = mostLines) {
      const all = [...lines, ...ofSkipped(), ...(isSomething(rest) ? [shownLine(rest)] : [])]
      return all.slice(-count)
    },
  }
}

const lineEnd = /\r\n?|\n/

const isSomething = (line: string): boolean => line.trim() !== ''

/** Where the line begins that has not ended. */
const endOf = (text: string): number => Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1

function countEnds(text: string): number {
  let count = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 10 || (code === 13 && text.charCodeAt(index + 1) !== 10)) count++
  }
  return count
}

/** A part of a text holds all of it in memory, unless it is written anew. */
const own = (text: string): string => Buffer.from(text).toString()
