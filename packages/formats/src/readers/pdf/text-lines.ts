/** Some characters of a page. Lengths are in points, from the lower left corner. */
export interface TextItem {
  text: string
  x: number
  y: number
  width: number
  size: number
  font: string
  isMono: boolean
}

/** Items of one height, which stand next to each other. */
export interface TextLine {
  /** From 1. */
  page: number
  text: string
  x: number
  right: number
  y: number
  size: number
  /** Font and size of most of its characters. */
  style: string
  /** All of it is in a font whose characters have the same width. */
  isMono: boolean
  /** Of a character in such a font. */
  charWidth: number
  /** Its parts are far from each other, as in a row of a table. */
  isRow: boolean
}

/** The lines of a page in the order of reading: of two columns, the left one first. */
export function linesOf(items: readonly TextItem[], page: number): TextLine[] {
  const parts = rowsOf(items).flatMap(partsOf)
  const gutter = gutterOf(parts)
  const isAcross = (part: TextItem[]) => startOf(part) < gutter && endOf(part) > gutter
  const lines: TextItem[][] = []
  let band: TextItem[][] = []
  const endBand = () => {
    const before = band.filter((part) => startOf(part) < gutter)
    const after = band.filter((part) => startOf(part) >= gutter)
    lines.push(...joined(before), ...joined(after))
    band = []
  }
  for (const part of parts) {
    if (!isAcross(part)) band.push(part)
    else {
      endBand()
      lines.push(part)
    }
  }
  endBand()
  return joined(lines).map((line) => lineOf(line, page))
}

/** Items from top to bottom, in rows of about the same baseline. */
function rowsOf(items: readonly TextItem[]): TextItem[][] {
  const rows: TextItem[][] = []
  let row: TextItem[] = []
  let top: TextItem | undefined
  for (const item of [...items].sort((a, b) => b.y - a.y)) {
    // A raised or lowered sign belongs to the row of the larger one.
    if (!top || top.y - item.y > 0.4 * Math.max(top.size, item.size)) {
      row = []
      rows.push(row)
      top = item
    } else if (item.size > top.size) top = item
    row.push(item)
  }
  return rows.map((all) => all.sort((a, b) => a.x - b.x))
}

/** In sizes of its text: a gap between the columns of a table or page. */
const wideGap = 1.8

/** A row is cut where a column may end. */
function partsOf(row: readonly TextItem[]): TextItem[][] {
  const parts: TextItem[][] = []
  let right = Number.NEGATIVE_INFINITY
  for (const item of row) {
    if (item.x - right > wideGap * item.size || parts.length === 0) parts.push([item])
    else parts.at(-1)?.push(item)
    right = item.x + item.width
  }
  return parts
}

const startOf = (part: readonly TextItem[]): number => part[0]?.x ?? 0
const endOf = (part: readonly TextItem[]): number => {
  const last = part.at(-1)
  return last ? last.x + last.width : 0
}

/** Lines that each of two columns has at least, and the share of parts that cross no gutter. */
const minColumn = 12
const minBeside = 0.85

/** Where a page with two columns is cut; past its right edge for any other. */
function gutterOf(parts: readonly TextItem[][]): number {
  const start = Math.min(...parts.map(startOf))
  const end = Math.max(...parts.map(endOf))
  for (let share = 0.4; share <= 0.6; share += 0.01) {
    const x = start + (end - start) * share
    const before = parts.filter((part) => endOf(part) <= x)
    const after = parts.filter((part) => startOf(part) >= x)
    const enough = before.length >= minColumn && after.length >= minColumn
    // Cells of a table are short.
    const isFilled = [...before, ...after].filter(
      (part) => endOf(part) - startOf(part) > 0.25 * (end - start),
    )
    if (
      enough &&
      before.length + after.length >= parts.length * minBeside &&
      isFilled.length * 2 > parts.length
    )
      return x
  }
  return Number.POSITIVE_INFINITY
}

/** Parts of one row are one line. */
function joined(parts: readonly TextItem[][]): TextItem[][] {
  const lines: TextItem[][] = []
  for (const part of parts) {
    const line = lines.at(-1)
    const isNext =
      line && Math.abs((line[0]?.y ?? 0) - (part[0]?.y ?? 0)) < 0.4 * (part[0]?.size ?? 0)
    if (isNext && endOf(line) <= startOf(part)) line.push(...part)
    else lines.push([...part])
  }
  return lines
}

/** Between two parts of a line; a font can have characters without a width. */
const maxSpaces = 200

function lineOf(items: readonly TextItem[], page: number): TextLine {
  const styles = new Map<string, number>()
  for (const { font, size, text } of items) {
    const style = `${font} ${Math.round(size * 2) / 2}`
    styles.set(style, (styles.get(style) ?? 0) + text.length)
  }
  const [style = ''] = [...styles].sort((a, b) => b[1] - a[1])[0] ?? []
  const size = Number(style.split(' ')[1])
  const isMono = items.every((item) => item.isMono)
  const width = items.reduce((sum, item) => sum + item.width, 0)
  const charWidth = width / items.reduce((sum, { text }) => sum + text.length, 0)
  const x = startOf(items)
  let text = ''
  let end = x
  let isRow = false
  for (const item of items) {
    const gap = item.x - end
    if (gap > wideGap * item.size) isRow = true
    if (isMono)
      text = text.padEnd(Math.min(Math.round((item.x - x) / charWidth), text.length + maxSpaces))
    else if (gap > wideGap * item.size) text += '  '
    else if (gap > 0.15 * item.size) text += ' '
    text += item.text
    end = item.x + item.width
  }
  const y = items.find((item) => Math.abs(item.size - size) < 0.5)?.y ?? items[0]?.y ?? 0
  return { page, text, x, right: end, y, size, style, isMono, charWidth, isRow }
}
