const maxLines = 12
const maxHeadingLength = 80
const maxFound = 6
/** Characters of a line that is shown. */
const maxLineLength = 200
/** Characters. Shorter arguments are everywhere. */
const minArgument = 4
/** Characters that are searched. */
const maxSearched = 2 ** 22
const maxCounted = 1_000
const maxWords = 20

/** The headings of a text, with their lines. To split it into lines would take longer than to page it. */
export function headingsIn(text: string): string[] {
  const all = text.startsWith('#') ? `\n${text}` : text
  const headings: string[] = []
  let line = all === text ? 1 : 0
  let from = 0
  for (let at = all.indexOf('\n#'); at >= 0; at = all.indexOf('\n#', at + 1)) {
    for (let next = all.indexOf('\n', from); next <= at && next >= 0; ) {
      line++
      from = next + 1
      next = all.indexOf('\n', from)
    }
    const end = all.indexOf('\n', from)
    const heading = all.slice(from, end < 0 ? undefined : end)
    if (/^#{1,4} \S/.test(heading))
      headings.push(`line ${line}: ${heading.slice(0, maxHeadingLength)}`)
  }
  if (headings.length <= maxLines) return headings
  return [...headings.slice(0, maxLines - 1), `… ${headings.length - maxLines + 1} more headings`]
}

/** What logs and stack traces call a failure, as they spell it. */
const failure = /\b(?:ERROR|FATAL|CRITICAL|PANIC|SEVERE|Traceback)\b|(?:Error|Exception)\b/g

/** Lines after a place that look like failures, or have a text of the arguments of the call. */
export function foundIn(text: string, from: number, params: unknown, characters: number): string[] {
  const start = text.indexOf('\n', from) + 1
  if (start === 0) return []
  const searched = text.slice(start, from + maxSearched)
  const places = new Set<number>()
  const add = (at: number): void => {
    if (places.size < maxCounted) places.add(searched.lastIndexOf('\n', at) + 1)
  }
  for (const { index } of searched.matchAll(failure)) add(index)
  const lower = searched.toLowerCase()
  for (const word of wordsIn(params).slice(0, maxWords)) {
    const needle = word.toLowerCase()
    let at = lower.indexOf(needle)
    for (; at >= 0 && places.size < maxCounted; at = lower.indexOf(needle, at + 1)) add(at)
  }
  const found: string[] = []
  let length = 0
  for (const at of [...places].sort((a, b) => a - b)) {
    const end = searched.indexOf('\n', at)
    const line = searched.slice(at, Math.min(end < 0 ? searched.length : end, at + maxLineLength))
    if (found.length >= maxFound || length + line.length > characters) break
    length += line.length + 1
    found.push(line.trim())
  }
  const more = places.size - found.length
  const atLeast = places.size === maxCounted ? 'at least ' : ''
  return more > 0 && found.length > 0 ? [...found, `… ${atLeast}${more} more such lines`] : found
}

function wordsIn(params: unknown): string[] {
  if (typeof params === 'string')
    return params.length >= minArgument && params.length <= maxLineLength ? [params] : []
  return typeof params === 'object' && params !== null ? Object.values(params).flatMap(wordsIn) : []
}

/** The last lines, or the end of the last line, after a place. */
export function endOf(text: string, from: number, characters: number): string {
  const start = Math.max(from, Math.floor(text.length - characters))
  const line = text.indexOf('\n', start) + 1
  const isLine = line > 0 && line - start < characters / 2
  return text.slice(isLine ? line : start).trim()
}
