import type { SymbolKind } from '../languages/symbol-kind.ts'

/** A definition by its first line and indentation. Positions are UTF-16 offsets. */
export interface ScannedHeader {
  name: string
  kind: SymbolKind
  /** Begin of its first line. */
  start: number
  end: number
}

interface Open extends ScannedHeader {
  indent: string
  /** Ends with a brace at its own indentation, and not before the next line there. */
  isBraced: boolean
}

const textMark = '"""'

/** What ends the text block or here-document that begins in a line. */
function endOfText(line: string): string | undefined {
  if (line.includes(textMark)) return line.split(textMark).length % 2 === 0 ? textMark : undefined
  return line.includes('((') ? undefined : /(?<!<)<<-?\s*["'\\]?(\w+)/.exec(line)?.[1]
}

/** Whether a brace that closes at an indentation closes what it stands in. */
const isInside = (one: Open | undefined, indent: string): boolean =>
  one !== undefined && !one.isBraced && one.indent.length > indent.length

const opensBlock = /\{[ \t]*(?:(?:#|\/\/).*)?$/

/**
 * Definitions by the lines they begin with and their indentation alone, for texts that a parser does
 * not understand. `headers` has a group `name`, and a group `class` for what is no function. In the
 * order of the file. Linear in the length of the text.
 */
export function scanHeaders(text: string, headers: RegExp): ScannedHeader[] {
  const found: ScannedHeader[] = []
  const open: Open[] = []
  let lastEnd = 0
  // Of a text of several lines that has begun.
  let textEnd: string | undefined
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at)
    const next = newline < 0 ? text.length : newline + 1
    const line = text.slice(at, next).trimEnd()
    const rest = line.trimStart()
    if (textEnd !== undefined) {
      const isEnd = textEnd === textMark ? line.includes(textMark) : rest === textEnd
      if (isEnd) textEnd = undefined
    } else if (rest !== '') {
      textEnd = endOfText(line)
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
  return found.toSorted((one, other) => one.start - other.start)

  function closeAt(indent: string, rest: string, end: number): void {
    if (rest.startsWith('}')) {
      while (isInside(open.at(-1), indent)) close(lastEnd)
      const closed = open.findLastIndex((one) => one.isBraced && one.indent === indent)
      if (closed < 0) return
      while (open.length > closed + 1) close(lastEnd)
      close(end)
      return
    }
    for (let top = open.at(-1); top && !top.isBraced; top = open.at(-1)) {
      if (indent.length > top.indent.length) return
      if (/^[{)\]]/.test(rest)) {
        top.isBraced = opensBlock.test(rest)
        return
      }
      close(lastEnd)
    }
  }

  function close(end: number): void {
    const closed = open.pop()
    if (closed) found.push({ name: closed.name, kind: closed.kind, start: closed.start, end })
  }
}
