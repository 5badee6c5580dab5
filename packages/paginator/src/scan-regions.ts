/** Lines that depend on their opening: the body of a code fence, the rows of a table. */
export interface Region {
  /** Start of the opening line. */
  start: number
  /** Start of the first line of the body. */
  body: number
  /** End of the last line, including its newline. */
  end: number
  /** Repeated on a page that begins inside; ends with a newline. */
  opening: string
  /** Appended to a page that ends inside; empty for a table. */
  closing: string
}

/** Quotation marks, list markers and blanks before the content of a line. */
const prefixPattern = /^(?:[ \t]|>|[-+*] |\d{1,9}[.)] )*/
const fencePattern = /^(`{3,}|~{3,})([^`]*)$/
const delimiterRow = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/

interface Line {
  start: number
  end: number
  prefix: string
  rest: string
}

/** Find the code fences and tables of a text at `offset` of the whole. */
export function scanRegions(text: string, offset: number): Region[] {
  const regions: Region[] = []
  if (!text.includes('|') && !text.includes('```') && !text.includes('~~~')) return regions
  const lines = linesOf(text)
  for (let index = 0; index < lines.length; ) {
    const region = fenceAt(lines, index) ?? tableAt(lines, index)
    if (region) {
      const { start, body, end } = region
      regions.push({ ...region, start: start + offset, body: body + offset, end: end + offset })
      while (index < lines.length && (lines[index] as Line).start < end) index++
    } else index++
  }
  return regions
}

function linesOf(text: string): Line[] {
  const lines: Line[] = []
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline + 1
    const line = text.slice(start, newline < 0 ? end : newline)
    const prefix = prefixPattern.exec(line)?.[0] ?? ''
    lines.push({ start, end, prefix, rest: line.slice(prefix.length) })
    start = end
  }
  return lines
}

function fenceAt(lines: readonly Line[], index: number): Region | undefined {
  const first = lines[index] as Line
  const match = fencePattern.exec(first.rest)
  if (!match) return undefined
  const [, fence = '', info = ''] = match
  const indent = continuation(first.prefix)
  const close = new RegExp(`^\\${fence[0]}{${fence.length},}[ \\t]*$`)
  let last = index + 1
  const closes = ({ prefix, rest }: Line) => close.test(rest) && unblank(prefix) === unblank(indent)
  while (last < lines.length && !closes(lines[last] as Line)) last++
  const closed = last < lines.length
  return {
    start: first.start,
    body: first.end,
    end: (lines[closed ? last : last - 1] as Line).end,
    opening: `${indent}${fence}${info}\n`,
    closing: `${indent}${fence}`,
  }
}

function tableAt(lines: readonly Line[], index: number): Region | undefined {
  const header = lines[index] as Line
  const delimiter = lines[index + 1]
  if (!delimiter || !header.rest.startsWith('|') || !delimiterRow.test(delimiter.rest))
    return undefined
  let last = index + 2
  while (last < lines.length && (lines[last] as Line).rest.startsWith('|')) last++
  const indent = continuation(header.prefix)
  return {
    start: header.start,
    body: delimiter.end,
    end: (lines[last - 1] as Line).end,
    opening: `${indent}${header.rest}\n${indent}${delimiter.rest}\n`,
    closing: '',
  }
}

/** The prefix of the second line of a block whose first line has this prefix. */
const continuation = (prefix: string): string => prefix.replace(/[^>\s]/g, ' ')

const unblank = (text: string): string => text.replace(/\s/g, '')
