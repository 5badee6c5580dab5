import { isBlank, type Line } from './lines-of.ts'
import { gap } from './prose.ts'

export interface TextHeading {
  title: string
  /** Levels below the heading around the text; undefined for the fragments of a text. */
  depth?: number
  /** Lines that it takes; 0 for the fragments of a line of text. */
  lines: number
}

const maxTitle = 90
const maxRuler = 200
/** The last two are the first and the last line of a man page. */
const ruler = /^(?:\s*([=\-_~*#])\1{19,}|(\S+\(\w+\)) {3,}(?:\S.* {3,})?\2|\s{40,}\S+\(\w+\))\s*$/
const underline = /^\s*(?:([=*#])\1{2,}|([-~^"'+])\2{2,})\s*$/
const number = /^(\d{1,3}(?:\.\d{1,3})*)\.?\s+["'(]?\p{Lu}.*[^.,;:]$/u
const capitals = /^(?=.*\p{Lu}{2})[\p{Lu}\d][\p{Lu}\d\s\-/(),.&':]*$/u

/** True for a line that only separates. */
export const isRuler = ({ text }: Line): boolean => text.length <= maxRuler && ruler.test(text)

/** `isRuled`: only blank lines are between a ruler and this line. */
export function headingAt(
  lines: readonly Line[],
  at: number,
  isRuled: boolean,
): TextHeading | undefined {
  const { text, indent, ids, isTagged } = lines[at] as Line
  const title = text.trim()
  const next = lines[at + 1]
  const isApart = isBlank(next)
  if (isTitle(title) && (isRuled || isBlank(lines[at - 1]))) {
    const [isUnderlined, outer] = underlineOf(title, next)
    if (isUnderlined) return { title, depth: outer ? 1 : 2, lines: 2 }
    const numbered = isApart && indent <= 3 ? number.exec(title)?.[1] : undefined
    if (numbered) return { title, depth: numbered.split('.').length, lines: 1 }
    const isAbove = isApart || (next?.indent ?? 0) > indent
    if (isAbove && ((isRuled && indent <= 3) || (indent === 0 && capitals.test(title))))
      return { title, depth: 1, lines: 1 }
  }
  return isTagged ? { title: ids.join(', '), lines: title === '' ? 1 : 0 } : undefined
}

const isTitle = (text: string): boolean =>
  text.length <= maxTitle && /\p{L}/u.test(text) && !gap.test(text)

function underlineOf(title: string, line: Line | undefined): RegExpExecArray | [] {
  const marks = line?.text.slice(0, maxRuler).trim() ?? ''
  const isAsLong = Math.abs(marks.length - title.length) <= Math.max(2, title.length / 3)
  return (isAsLong && underline.exec(marks)) || []
}
