import { letters } from '#base/letters'
import type { TextLine } from './text-lines.ts'

/** A title among the bookmarks of a document. */
export interface Bookmark {
  title: string
  level: number
  page: number
}

export interface Heading {
  title: string
  level: number
  /** Lines that it consists of, none if only a bookmark has it. */
  lines: readonly TextLine[]
  page: number
}

const numbered = /^(?:chapter|appendix|part)\s+[\dA-Z]+\b|^(?:\d{1,3}\.)*\d{1,3}\.?\s+\S/i
/** In characters; longer text is no title. */
const maxTitle = 200

/** Its lines become the title of each bookmark, or else it stands before its page. */
export function bookmarkedHeadings(
  bookmarks: readonly Bookmark[],
  pages: readonly TextLine[][],
): Heading[] {
  const used = new Set<TextLine>()
  return bookmarks.map(({ title, level, page }) => {
    const lines = (pages[page - 1] ?? []).filter((line) => !used.has(line))
    const titleLetters = letters(title)
    for (let at = 0; at < lines.length; at++)
      for (let count = 1; count <= 3; count++) {
        const parts = lines.slice(at, at + count)
        if (letters(parts.map(({ text }) => text).join('')) !== titleLetters) continue
        for (const line of parts) used.add(line)
        return { title, level, lines: parts, page }
      }
    return { title, level, lines: [], page }
  })
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
