import { cleanHtml } from '@pith-mcp/cleaner'
import type { Format } from '../format.ts'
import { Counts } from '../parts/counts.ts'
import { escapeHtml } from '../parts/escape-html.ts'
import { tableHtml } from '../parts/table-html.ts'
import { html } from './html.ts'
import type { BlockReader } from './rst/block-reader.ts'
import { codeHtml } from './rst/code-html.ts'
import { directiveHtml } from './rst/directives.ts'
import { gridRule, gridTable, simpleRule, simpleTable } from './rst/rst-tables.ts'
import { RstText } from './rst/rst-text.ts'

/** Deeper text is one paragraph. */
const maxDepth = 24

export const rst: Format = {
  name: 'reStructuredText',
  types: /^text\/(?:x-|prs\.fallenstein\.)?rst$/,
  names: /\.rst$/i,
  maxInlineLength: 2 ** 17,
  read(text, options) {
    const reader = new RstReader(text)
    return reader.counts.onPage(cleanHtml(reader.html(), options))
  },
  links: (text, base, page) => html.links(new RstReader(text).html(), base, page),
}

const adornment = /^([^\w\s])\1{2,}$/
/** A line of one sign, which may be as short as the title. */
const isUnder = (line: string, title: string): boolean =>
  adornment.test(line) || (/^([-=~^"'#*+`])\1?$/.test(line) && line.length === title.length)
const bullet = /^(?:[-*+•]|\(?(?:\d{1,4}|#|[a-z]|[ivx]{1,5})[.)])(?: +|$)/i
const field = /^:((?:[^:\\]|\\.|:(?=\w)){1,200}):(?: +|$)(.*)$/
const option =
  /^(-{1,2}[\w?][\w-]*(?:[ =]<?[\w-]+>?)?(?:, -{1,2}[\w?][\w-]*(?:[ =]<?[\w-]+>?)?)*)(?: {2,}(.*))?$/
const explicit = /^\.\.(?: +|$)/

/** Reads blocks as HTML; directives call it for what is in them. */
class RstReader implements BlockReader {
  readonly counts: Counts = new Counts()
  readonly text: RstText
  language = ''
  readonly #lines: string[]
  /** Signs of titles, in the order in which they first appear. */
  readonly #styles: string[] = []
  #depth = 0

  constructor(source: string) {
    this.#lines = source
      .replace(/^\ufeff/, '')
      .split(/\r\n?|\n/)
      .map((line) => line.trimEnd().replaceAll('\t', '        '))
    this.text = new RstText(this.#lines)
  }

  html(): string {
    return `<main>${this.blocks(this.#lines)}</main>`
  }

  /** The HTML of lines, which are indented alike. */
  blocks(lines: readonly string[]): string {
    if (this.#depth >= maxDepth) return `<p>${escapeHtml(lines.join('\n'))}</p>`
    this.#depth++
    const parts: string[] = []
    for (let at = 0; at < lines.length; ) {
      const { html, next } = this.#block(lines, at)
      if (html !== '') parts.push(html)
      at = Math.max(next, at + 1)
    }
    this.#depth--
    return parts.join('\n')
  }

  #block(lines: readonly string[], at: number): { html: string; next: number } {
    const line = lines[at] ?? ''
    if (line === '') return { html: '', next: at + 1 }
    const title = this.#title(lines, at)
    if (title) return title
    if (line.startsWith(' ')) {
      const next = endOfIndent(lines, at)
      return {
        html: `<blockquote>${this.blocks(dedented(lines.slice(at, next)))}</blockquote>`,
        next,
      }
    }
    if (explicit.test(line)) {
      const next = endOfIndent(lines, at + 1)
      return { html: this.#explicit(lines.slice(at, next)), next }
    }
    if (line.startsWith('>>> ')) {
      const next = endOfText(lines, at)
      return { html: codeHtml(lines.slice(at, next), 'python'), next }
    }
    if (simpleRule.test(line) || gridRule.test(line)) return this.#table(lines, at)
    if (/^\| ?/.test(line) && !line.endsWith('|')) {
      const next = endOfText(lines, at)
      const texts = lines.slice(at, next).map((each) => this.text.html(each.replace(/^\| ?/, '')))
      return { html: `<p>${texts.join('<br>')}</p>`, next }
    }
    return this.#list(lines, at) ?? this.#paragraph(lines, at)
  }

  /** A title above a line of one sign, or between two. */
  #title(lines: readonly string[], at: number): { html: string; next: number } | undefined {
    const [line = '', second = '', third = ''] = lines.slice(at, at + 3)
    const isOver = adornment.test(line) && line === third && second !== ''
    const [title, under] = isOver ? [second, third] : [line, second]
    if (this.#depth > 1 || !isUnder(under, title) || adornment.test(title))
      return adornment.test(line) && line.length > 3 ? { html: '', next: at + 1 } : undefined
    if (!isOver && line.startsWith(' ')) return undefined
    const style = `${isOver ? under[0] : ''}${under[0]}`
    const level = Math.min(this.#styles.indexOf(style) + 1 || this.#styles.push(style), 6)
    return {
      html: `<h${level}>${this.text.html(title.trim())}</h${level}>`,
      next: at + (isOver ? 3 : 2),
    }
  }

  #explicit(lines: readonly string[]): string {
    const first = (lines[0] ?? '').replace(explicit, '')
    const body = dedented(lines.slice(1))
    const [, anchor] = /^_(`[^`]+`|[^:]+):$/.exec(first) ?? []
    if (anchor)
      return `<a id="${escapeHtml(anchor.replaceAll('`', '').toLowerCase().replace(/\s+/g, '-'))}"></a>`
    const [, note, about = ''] = /^\[([#\w*.-]{1,60})\]\s*(.*)$/.exec(first) ?? []
    if (note) return `<p>[${escapeHtml(note)}] ${this.text.html(about)}</p>${this.blocks(body)}`
    const [, name = '', value = ''] = /^([\w:+.-]{1,60}?)::(?:\s+(.*))?$/.exec(first) ?? []
    return name === '' ? '' : directiveHtml(this, name, value, body)
  }

  #table(lines: readonly string[], at: number): { html: string; next: number } {
    const isGrid = gridRule.test(lines[at] ?? '')
    let next = at + 1
    if (isGrid) while (/^[|+]/.test(lines[next] ?? '')) next++
    else {
      // A table ends with a rule before an empty line.
      while (
        next < lines.length &&
        !(simpleRule.test(lines[next - 1] ?? '') && next > at + 1 && (lines[next] ?? '') === '')
      )
        next++
    }
    const { rows, headRows, unread } = (isGrid ? gridTable : simpleTable)(lines.slice(at, next))
    const cells = rows.map((row) => row.map((cell) => this.text.html(cell).replaceAll('\n', ' ')))
    return { html: tableHtml(cells, headRows, unread), next }
  }

  /** Bullets, numbers, fields, options and definitions. */
  #list(lines: readonly string[], at: number): { html: string; next: number } | undefined {
    const line = lines[at] ?? ''
    const kind = [bullet, field, option].find((pattern) => pattern.test(line))
    const isTerm = (lines[at + 1] ?? '').startsWith(' ') && !line.endsWith('::')
    if (!kind && !isTerm) return undefined
    const style = kind === bullet ? styleOf(line) : ''
    const { parts, next } = this.#items(lines, at, kind, style)
    const tag = kind === bullet ? (/\d/.test(style) ? 'ol' : 'ul') : 'dl'
    const about = kind === field ? ' class="field-list"' : tag === 'ol' ? startOf(line) : ''
    return { html: `<${tag}${about}>${parts.join('\n')}</${tag}>`, next }
  }

  /** The items of one style, and where the next line is. */
  #items(
    lines: readonly string[],
    at: number,
    kind: RegExp | undefined,
    style: string,
  ): { parts: string[]; next: number } {
    const parts: string[] = []
    const isNext = (text: string) => kind !== bullet || styleOf(text) === style
    let next = at
    while (next < lines.length && isItem(lines, next, kind) && isNext(lines[next] ?? '')) {
      const end = endOfIndent(lines, next + 1)
      parts.push(this.#item(lines[next] ?? '', lines.slice(next + 1, end), kind))
      next = end
      while (lines[next] === '' && next < lines.length - 1 && kind?.test(lines[next + 1] ?? ''))
        next++
    }
    return { parts, next }
  }

  #item(item: string, below: readonly string[], kind: RegExp | undefined): string {
    if (kind === bullet) {
      const [{ length } = ''] = bullet.exec(item) ?? []
      // Markdown has no letters and numerals before items, so they are words of the item.
      const text = /^[a-z]$/i.test(styleOf(item)) ? `\\${item}` : item.slice(length)
      return `<li>${this.blocks([text, ...indentedBy(below, length)])}</li>`
    }
    const [, term = item, rest = ''] = kind?.exec(item) ?? []
    const body = dedented(below)
    return `<dt>${this.text.html(term)}</dt><dd>${this.blocks(rest === '' ? body : [rest, ...body])}</dd>`
  }

  #paragraph(lines: readonly string[], at: number): { html: string; next: number } {
    let next = endOfText(lines, at)
    const text = lines.slice(at, next).join('\n')
    if (!text.endsWith('::')) return { html: `<p>${this.text.html(text)}</p>`, next }
    while (next < lines.length && lines[next] === '') next++
    const end = endOfIndent(lines, next)
    const label = text.replace(/(?:^|\s+)::$/, '').replace(/::$/, ':')
    const paragraph = label === '' ? '' : `<p>${this.text.html(label)}</p>`
    return {
      html: `${paragraph}${codeHtml(dedented(lines.slice(next, end)), this.language)}`,
      next: end,
    }
  }
}

/** The number of the first item, unless it is 1. */
function startOf(item: string): string {
  const [number = '1'] = /\d+/.exec(item) ?? []
  return Number(number) > 1 ? ` start="${number}"` : ''
}

/** The sign of a list, or how it counts: `1.`, `(1)`, or `a` and `A` for letters and numerals. */
const styleOf = (item: string): string => {
  const [marker = ''] = bullet.exec(item) ?? []
  if (/[a-z]/.test(marker)) return 'a'
  if (/[A-Z]/.test(marker)) return 'A'
  return marker.trim().replace(/\d+|#/, '1')
}

/** True if a line begins an item of a list, or a term of a list of definitions without a kind. */
function isItem(lines: readonly string[], at: number, kind: RegExp | undefined): boolean {
  const line = lines[at] ?? ''
  if (kind) return kind.test(line)
  return line !== '' && !explicit.test(line) && (lines[at + 1] ?? '').startsWith(' ')
}

/** Where the lines end that are indented or empty, without empty ones at the end. */
function endOfIndent(lines: readonly string[], at: number): number {
  let end = at
  for (let next = at; next < lines.length; next++) {
    const line = lines[next] ?? ''
    if (line.startsWith(' ')) end = next + 1
    else if (line !== '') break
  }
  return end
}

function endOfText(lines: readonly string[], at: number): number {
  let next = at + 1
  while (next < lines.length && lines[next] !== '') next++
  return next
}

/** Lines without an indent of this length, or what they have of it. */
const indentedBy = (lines: readonly string[], length: number): string[] =>
  lines.map((line) => line.slice(Math.min(length, line.length - line.trimStart().length)))

/** Lines without the indent that all of them have. */
function dedented(lines: readonly string[]): string[] {
  let indent = Number.POSITIVE_INFINITY
  for (const line of lines)
    if (line !== '') indent = Math.min(indent, line.length - line.trimStart().length)
  return indentedBy(lines, indent)
}
