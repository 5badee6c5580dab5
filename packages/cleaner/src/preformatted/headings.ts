import { isBlank, type Line } from './lines-of.ts'

/** A heading: its level below the heading around the text, and the number of its lines. */
export interface TextHeading {
  title: string
  depth: number
  lines: number
  ids: readonly string[]
}

const maxTitle = 90
const maxRuler = 200
const ruler = /^\s*([=\-_~*#])\1{19,}\s*$/
const underline = /^\s*([=\-~^"'*+#])\1{2,}\s*$/
const pageEdge =
  /^\s*(\S+\(\w+\)) {3,}(?:\S.* {3,})?\1\s*$|^RFC \d+ {3,}\S.* {3,}\S.* \d{4}$|\[Page \d+\]\s*$|^\s{40,}\S+\(\w+\)\s*$/
const number = /^(\d{1,3}(?:\.\d{1,3})*)\.?\s+["'(]?\p{Lu}.*[^.,;:]$/u
const capitals = /^(?=.*\p{Lu}{2})[\p{Lu}\d][\p{Lu}\d\s\-/(),.&':]*$/u
/** Vim writes the fragments of its help as `*name*`. */
const tags = /(?:^|\s)\*(\S+)\*(?=\s|$)/g

/** A line without the fragments that are written in it. */
export function untagged(line: Line): Line {
  const text = line.text.replace(tags, '')
  return { ...line, text, ids: [] }
}

/** Recognises the headings of a text, line by line. */
export class Headings {
  readonly #lines: readonly Line[]
  /** Characters of underlines and rulers, the outermost first. */
  readonly #marks: string[] = []
  #depth = 0

  constructor(lines: readonly Line[]) {
    this.#lines = lines
  }

  at(index: number): TextHeading | undefined {
    const line = this.#lines[index] as Line
    const { ids } = line
    const title = line.text.replace(tags, '').trim()
    const depth = title.length > maxTitle ? undefined : this.#depthOf(line, index, title)
    if (depth !== undefined) {
      this.#depth = depth
      const isUnderlined = this.#underlineAt(index + 1) !== undefined
      return { title, depth, ids, lines: isUnderlined ? 2 : 1 }
    }
    const names =
      ids.length > 0 ? Array.from(line.text.matchAll(tags), ([, name = '']) => name) : []
    if (names.length === 0) return undefined
    return { title: names.join(', '), depth: this.#depth + 1, ids, lines: title === '' ? 1 : 0 }
  }

  /** True for a line that only separates, or repeats the title of the manual on each page. */
  isRuler(index: number): boolean {
    const { text } = this.#lines[index] ?? { text: '' }
    return text.length <= maxRuler && (ruler.test(text) || pageEdge.test(text))
  }

  #depthOf({ text, indent, isBold }: Line, index: number, title: string): number | undefined {
    const isTitle = /\p{L}/u.test(title) && !/\S {3,}\S/.test(title)
    if (!isTitle || !this.#isBlank(index - 1)) return undefined
    const mark = this.#underlineAt(index + 1)
    if (mark !== undefined) return this.#rank(mark)
    const next = this.#lines[index + 1]
    const isApart = this.#isBlank(index + 1)
    const isAbove = isApart || (next?.indent ?? 0) > indent
    const numbered = number.exec(title)?.[1]
    if (numbered && indent <= 3 && isApart) return numbered.split('.').length
    const above = this.#rulerAbove(index)
    if (above !== undefined && indent <= 3 && isAbove) return this.#rank(above)
    if (indent === 0 && isAbove && (isBold || capitals.test(title))) return 1
    return isBold && indent <= 4 && isAbove && text.trim() === title ? 2 : undefined
  }

  #isBlank(index: number): boolean {
    return isBlank(this.#lines[index]) || this.isRuler(index)
  }

  #underlineAt(index: number): string | undefined {
    const length = this.#lines[index - 1]?.text.trim().length ?? 0
    const line = this.#lines[index]?.text.slice(0, maxRuler) ?? ''
    const isAsLong = Math.abs(line.trim().length - length) <= Math.max(2, length / 3)
    return isAsLong || !this.#isBlank(index + 1) ? underline.exec(line)?.[1] : undefined
  }

  #rulerAbove(index: number): string | undefined {
    for (let at = index - 1; at >= index - 3; at--) {
      const mark = ruler.exec(this.#lines[at]?.text ?? '')?.[1]
      if (mark !== undefined || !this.#isBlank(at)) return mark
    }
    return undefined
  }

  #rank(mark: string): number {
    if (!this.#marks.includes(mark)) this.#marks.push(mark)
    return this.#marks.indexOf(mark) + 1
  }
}
