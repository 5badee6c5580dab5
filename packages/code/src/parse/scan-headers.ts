import type { SymbolKind } from '../languages/symbol-kind.ts'

/** A definition found by its first line and indentation. Positions are UTF-16 offsets. */
export interface ScannedHeader {
  name: string
  kind: SymbolKind
  /** Start of its first line. */
  start: number
  end: number
}

interface Open extends ScannedHeader {
  indent: string
  /** Ends with a closing brace at its own indentation. */
  isBraced: boolean
}

/** What begins and ends a text block. */
const marks: readonly string[] = ['"""', "'''"]

/** The end mark of a text block or here-document that begins in a line. */
function endOfText(line: string, hasHereDocuments: boolean): string | undefined {
  if (hasHereDocuments && !line.includes('"""'))
    return line.includes('((') ? undefined : /(?<!<)<<-?\s*["'\\]?(\w+)/.exec(line)?.[1]
  const mark = marks.find((delimiter) => line.includes(delimiter))
  return mark !== undefined && line.split(mark).length % 2 === 0 ? mark : undefined
}

/** True if a brace that closes at an indentation also ends the definition. */
const isInside = (block: Open | undefined, indent: string): boolean =>
  block !== undefined && !block.isBraced && block.indent.length > indent.length

const opensBlock = /\{[ \t]*(?:(?:#|\/\/).*)?$/

/**
 * Find definitions by their first lines and indentation alone, for texts with syntax errors.
 * `headers` has a group `name`, and a group `class` for classes. In the order of the file. Linear
 * in the length of the text.
 */
export function scanHeaders(
  text: string,
  headers: RegExp,
  hasHereDocuments: boolean,
): ScannedHeader[] {
  const blocks: ScannedHeader[] = []
  const open: Open[] = []
  let lastEnd = 0
  // End mark of the open multi-line text.
  let textEnd: string | undefined
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at)
    const next = newline < 0 ? text.length : newline + 1
    const line = text.slice(at, next).trimEnd()
    const rest = line.trimStart()
    if (textEnd !== undefined) {
      const isEnd = marks.includes(textEnd) ? line.includes(textEnd) : rest === textEnd
      if (isEnd) textEnd = undefined
    } else if (rest !== '') {
      textEnd = endOfText(line, hasHereDocuments)
      const indent = line.slice(0, line.length - rest.length)
      const end = at + line.length
      closeAt(indent, rest, end)
      const match = headers.exec(line)?.groups
      if (match?.['name'])
        open.push({
          name: match['name'],
          kind: match['class'] ? 'class' : 'function',
          start: at,
          end: text.length,
          indent,
          isBraced: opensBlock.test(rest),
        })
      lastEnd = end
    }
    at = next
  }
  while (open.length > 0) close(lastEnd)
  return blocks.toSorted((a, b) => a.start - b.start)

  function closeAt(indent: string, rest: string, end: number): void {
    if (rest.startsWith('}')) {
      while (isInside(open.at(-1), indent)) close(lastEnd)
      const closed = open.findLastIndex((block) => block.isBraced && block.indent === indent)
      if (closed < 0) return
      while (open.length > closed + 1) close(lastEnd)
      close(end)
      return
    }
    for (let top = open.at(-1); top && !top.isBraced; top = open.at(-1)) {
      if (indent.length > top.indent.length) return
      if (/^(?:[{)\]>]|->|(?:where|async|throws|rethrows)\b)/.test(rest)) {
        top.isBraced = opensBlock.test(rest)
        return
      }
      close(lastEnd)
    }
  }

  function close(end: number): void {
    const closed = open.pop()
    if (closed) blocks.push({ name: closed.name, kind: closed.kind, start: closed.start, end })
  }
}
