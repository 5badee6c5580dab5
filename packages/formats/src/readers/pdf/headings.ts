import { letters } from '#base/letters'
import type { TextLine } from './text-lines.ts'

/** A title among the bookmarks of a document. */
export interface Bookmark {
  title: string
  level: number
  page: number
  /** Of its destination, in points from the lower edge of the page. */
  top?: number | undefined
}

export interface Heading {
  title: string
  level: number
  /** Lines that it consists of, none if only a bookmark has it. */
  lines: readonly TextLine[]
  /** Without lines, the line that it stands before, or else its page. */
  before?: TextLine | undefined
  page: number
}

const numbered = /^(?:chapter|appendix|part)\s+[\dA-Z]+\b|^(?:\d{1,3}\.)*\d{1,3}\.?\s+\S/i
/** In characters; longer text is no title. */
const maxTitle = 200

/** A label and a number before a title, as a bookmark may not have them. */
const label =
  /^(?:(?:chapter|appendix|part|section|kapitel|chapitre|cap[ií]tulo)\b[\s.:]*|§\s*)?(?:(?:\d{1,3}|[A-Z]|[IVXLC]{1,6})(?:\.\d{1,3}){0,6}[.:)]?\s+)?/i

const labelOf = (text: string): string => label.exec(text)?.[0] ?? ''

/** A title with and without its label, by letters alone. */
const spellingsOf = (text: string): string[] =>
  [text, text.slice(labelOf(text).length)].map(letters).filter((each) => each !== '')

/**
 * The lines of a page that have the title of a bookmark, next to its destination, become a heading.
 * Without such lines, it stands before the first line below its destination, or before its page.
 */
export function bookmarkedHeadings(
  bookmarks: readonly Bookmark[],
  pages: readonly TextLine[][],
): Heading[] {
  const used = new Set<TextLine>()
  return bookmarks.map(({ title, level, page, top }) => {
    const lines = (pages[page - 1] ?? []).filter((line) => !used.has(line))
    const found = titleLinesOf(lines, title)
    const distance = (parts: readonly TextLine[]) => Math.abs((parts[0]?.y ?? 0) - (top ?? 0))
    const [parts = []] =
      top === undefined ? found : found.sort((one, other) => distance(one) - distance(other))
    for (const line of parts) used.add(line)
    const printed = parts.map(({ text }) => text.trim()).join(' ')
    const isNumbered =
      letters(printed) !== letters(title) && letters(labelOf(printed) + title) === letters(printed)
    const number = isNumbered ? labelOf(printed) : ''
    const below = lines.find((line) => top !== undefined && line.y < top)
    const before = parts.length > 0 ? undefined : (below ?? (top && pages[page]?.[0]))
    return { title: number + title, level, lines: parts, ...(before && { before }), page }
  })
}

/** Up to three lines in a row that are a title, each time. */
function titleLinesOf(lines: readonly TextLine[], title: string): TextLine[][] {
  const spellings = new Set(spellingsOf(title))
  const found: TextLine[][] = []
  for (let at = 0; at < lines.length; at++)
    for (let count = 3; count >= 1; count--) {
      const parts = lines.slice(at, at + count)
      const text = parts.map((line) => line.text.trim()).join(' ')
      if (parts.length < count || !spellingsOf(text).some((each) => spellings.has(each))) continue
      found.push(parts)
      break
    }
  return found
}

/** Headings by a key; those without one are left out. */
export function groupBy<Key>(
  headings: readonly Heading[],
  keyOf: (heading: Heading) => Key | undefined,
): Map<Key, Heading[]> {
  const groups = new Map<Key, Heading[]>()
  for (const heading of headings) {
    const key = keyOf(heading)
    if (key !== undefined) groups.set(key, [...(groups.get(key) ?? []), heading])
  }
  return groups
}

/** The share of headings that have neither text nor a heading of a lower level below them. */
export function emptyShare(headings: readonly Heading[], pages: readonly TextLine[][]): number {
  const starts = groupBy(headings, ({ lines: [first], before, page }) => first ?? before ?? page)
  const ofTitles = new Set(headings.flatMap(({ lines }) => lines))
  let open: Heading | undefined
  let empty = 0
  const begin = (next: Heading) => {
    if (open && next.level <= open.level) empty++
    open = next
  }
  pages.forEach((lines, at) => {
    for (const each of starts.get(at + 1) ?? []) begin(each)
    for (const line of lines) {
      for (const each of starts.get(line) ?? []) begin(each)
      if (!ofTitles.has(line)) open = undefined
    }
  })
  return empty / Math.max(1, headings.length)
}

/** Lines that are larger than the text. If some have numbers, their styles are those of all headings. */
export function largeHeadings(
  pages: readonly TextLine[][],
  bodySize: number,
  { titleLines, isWord }: { titleLines: ReadonlySet<TextLine>; isWord: (word: string) => boolean },
): Heading[] {
  const isLarge = (line: TextLine) => line.size > bodySize * 1.08 && !titleLines.has(line)
  const large = pages.flat().filter((line) => isLarge(line) && line.text.length <= maxTitle)
  const styles = new Set(large.filter(({ text }) => numbered.test(text)).map(({ style }) => style))
  const styled = styles.size === 0 ? large : large.filter(({ style }) => styles.has(style))
  const sizes = [...new Set(styled.map(({ size }) => size))].sort((a, b) => b - a)
  const headings: Heading[] = []
  for (const line of styled) {
    const before = headings.at(-1)
    const last = before?.lines.at(-1)
    const text = line.text.trim()
    const isNext =
      last?.style === line.style &&
      last.page === line.page &&
      last.y > line.y &&
      last.y - line.y < line.size * 1.6
    if (before && isNext && !numbered.test(text)) {
      before.title = joinedText(before.title, text, isWord)
      before.lines = [...before.lines, line]
    } else
      headings.push({
        title: text,
        level: sizes.indexOf(line.size) + 1,
        lines: [line],
        page: line.page,
      })
  }
  const levels = headings.map((heading) => levelOf(heading, headings))
  return headings.map((heading, at) => ({ ...heading, level: levels[at] ?? 1 }))
}

/**
 * The depth of its number; without one, that of a numbered heading of the same style, or 1 before
 * all of these.
 */
function levelOf(heading: Heading, headings: readonly Heading[]): number {
  const depth = depthOf(heading.title)
  if (depth) return depth
  const firstNumbered = headings.findIndex(({ title }) => depthOf(title))
  if (headings.indexOf(heading) < firstNumbered) return 1
  const style = heading.lines[0]?.style
  const alike = headings.find(({ title, lines }) => lines[0]?.style === style && depthOf(title))
  return Math.min(6, (alike && depthOf(alike.title)) ?? heading.level)
}

function depthOf(title: string): number | undefined {
  if (/^(?:chapter|appendix|part)\b/i.test(title)) return 1
  const [number] = /^(?:\d{1,3}\.)*\d{1,3}(?=\.?\s)/.exec(title) ?? []
  return number === undefined ? undefined : Math.min(6, number.split('.').length)
}

const endings = ['s', 'd', 'es', 'ed', 'er', 'ing', 'ly']
/** First parts of words that are written with a hyphen. */
const firstParts = new Set(
  'all built co cross double end first full half hard high left long low multi non one post pre read real right run second self semi short single so soft three top two up user well write'.split(
    ' ',
  ),
)

/**
 * A hyphen at the end of a line is dropped before a small letter, but in names, options and paths,
 * after a first part of compounds, and between two words of the document that does not join them.
 */
export function joinedText(
  before: string,
  next: string,
  isWord: (word: string) => boolean,
): string {
  const [, around = '', start = ''] = /(\S*?)([\p{L}\p{N}]+)-$/u.exec(before.toLowerCase()) ?? []
  const [, end = '', after = ''] = /^(\p{Ll}[\p{L}\p{N}]*)(\S*)/u.exec(next) ?? []
  if (start === '' || end === '') return `${before} ${next}`
  const isName = /[-_/.=\d]/.test(around + start) || /[-_/=\d]|\.\p{L}/u.test(end + after)
  if (isName || isWord(`${start}-${end}`)) return before + next
  const joined = start + end
  const isJoined =
    [joined, ...endings.map((ending) => joined + ending)].some(isWord) ||
    endings.some((ending) => joined.endsWith(ending) && isWord(joined.slice(0, -ending.length)))
  const isCompound = firstParts.has(start) || (isWord(start) && isWord(end))
  return (isCompound && !isJoined ? before : before.slice(0, -1)) + next
}
