import { escapeHtml } from '../../parts/escape-html.ts'
import { slugOf } from '../../parts/page-builder.ts'
import { groupBy, type Heading, joinedText } from './headings.ts'
import type { TextLine } from './text-lines.ts'

/** A paragraph, an item of a list, or code. */
interface Block {
  kind: 'text' | 'item' | 'code'
  lines: TextLine[]
}

const bullet = /^[•▪◦‣∙·●○■–*-]\s+(?=\S)/
/** Distance of lines, in those that are usual. */
const wide = 1.25
const blank = 1.7
const apart = 3

/** HTML of all pages; each begins with a fragment of its number. */
export function htmlOf(
  pages: readonly TextLine[][],
  headings: readonly Heading[],
  { hasCode, isWord }: { hasCode: boolean; isWord: (word: string) => boolean },
): string {
  const titles = new Map(
    headings.flatMap((heading) => heading.lines.map((line) => [line, heading])),
  )
  const unlined = headings.filter((heading) => heading.lines.length === 0)
  const before = groupBy(unlined, (heading) => heading.before)
  const ofPages = groupBy(unlined, (heading) => (heading.before ? undefined : heading.page))
  const html: string[] = []
  const leading = leadingOf(pages)
  pages.forEach((lines, at) => {
    html.push(`<a id="page-${at + 1}"></a><a id="page=${at + 1}"></a>`)
    html.push(...(ofPages.get(at + 1) ?? []).map(titleHtml))
    let block: Block | undefined
    const end = () => {
      if (block) html.push(blockHtml(block, leading, isWord))
      block = undefined
    }
    for (const [index, line] of lines.entries()) {
      const above = before.get(line) ?? []
      const heading = titles.get(line)
      if (heading || above.length > 0) end()
      html.push(...above.map(titleHtml))
      if (heading) {
        end()
        if (heading.lines[0] === line) html.push(titleHtml(heading))
        continue
      }
      const isCell = line.isRow && [lines[index - 1], lines[index + 1]].some(isMixedRow)
      const kind =
        hasCode && line.isMono && !isCell ? 'code' : bullet.test(line.text) ? 'item' : 'text'
      if (!block || !continues(block, kind, line, leading)) {
        end()
        block = { kind, lines: [line] }
      } else block.lines.push(line)
    }
    end()
  })
  return html.join('\n')
}

/** A row of a table in which not only code stands. */
const isMixedRow = (line: TextLine | undefined): boolean => line?.isRow === true && !line.isMono

/** The usual distance of two lines. */
function leadingOf(pages: readonly TextLine[][]): number {
  const counts = new Map<number, number>()
  for (const lines of pages)
    lines.forEach((line, at) => {
      const gap = Math.round(((lines[at - 1]?.y ?? 0) - line.y) * 2) / 2
      if (gap > 0) counts.set(gap, (counts.get(gap) ?? 0) + 1)
    })
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 12
}

function continues(
  { kind, lines }: Block,
  next: Block['kind'],
  line: TextLine,
  leading: number,
): boolean {
  const last = lines.at(-1)
  if (!last) return false
  const gap = last.y - line.y
  const isNear = gap > 0 && gap < leading * wide
  if (kind === 'code' && next === 'code') return gap > 0 && gap < leading * apart
  // A line of code in a paragraph is a part of its text.
  const isWrapped = next === 'code' && isNear && Math.abs(line.x - last.x) < line.size
  if (kind === 'code' || next === 'item' || (next === 'code' && !isWrapped)) return false
  if (!isNear || !isAlike(line, last)) return false
  return isAligned(line.x - last.x, line.size, kind, lines.length)
}

/** The second line of a paragraph may be left of the first, that of an item right of it. */
function isAligned(indent: number, size: number, kind: Block['kind'], lines: number): boolean {
  const isRight = indent > -0.5 * size
  if (kind === 'item' && lines === 1) return isRight
  return indent < 0.5 * size && (lines === 1 || isRight)
}

/** Two lines of text of about the same size. */
const isAlike = (line: TextLine, last: TextLine): boolean =>
  !line.isRow && !last.isRow && Math.abs(line.size - last.size) <= 0.08 * last.size

const titleHtml = ({ level, title }: Heading): string =>
  `<h${level} id="${escapeHtml(slugOf(title))}">${escapeHtml(title)}</h${level}>`

function blockHtml(
  { kind, lines }: Block,
  leading: number,
  isWord: (word: string) => boolean,
): string {
  if (kind === 'code') return `<pre><code>${escapeHtml(codeOf(lines, leading))}</code></pre>`
  const text = lines.reduce(
    (all, line) => (all ? joinedText(all, line.text.trim(), isWord) : line.text.trim()),
    '',
  )
  const html = escapeHtml(text.replace(kind === 'item' ? bullet : /^$/, ''))
  return kind === 'item' ? `<ul><li>${html}</li></ul>` : `<p>${html}</p>`
}

/** Lines that begin as far to the right as they stand. */
function codeOf(lines: readonly TextLine[], leading: number): string {
  const margin = Math.min(...lines.map(({ x }) => x))
  return lines
    .map(({ text, x, y, charWidth }, at) => {
      const indent = ' '.repeat(Math.min(200, Math.round((x - margin) / (charWidth || 1))))
      const gap = (lines[at - 1]?.y ?? y) - y
      return `${gap > leading * blank ? '\n' : ''}${indent}${text}`
    })
    .join('\n')
}
