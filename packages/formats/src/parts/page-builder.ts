import { type Block, cleanMarkdown, type Page, type Section } from '@pith-mcp/cleaner'
import { attempt } from '#base/attempt'
import { fenced } from './fenced.ts'

/** Of one description, whose parser can take time quadratic in the length. */
const maxDescription = 2 ** 16

/** Builds a page whose sections are data instead of text with titles. */
export class PageBuilder {
  readonly sections: Section[] = []
  readonly #ids = new Map<string, number>()
  /** The last section of each level. */
  readonly #open: Section[] = []

  /** Add a section below the last one of a lower level; `name` is its fragment, if it is free. */
  add(level: number, title: string, name: string, blocks: Block[]): void {
    const id = this.#unique(name.slice(0, 200))
    const parent = this.#open.slice(0, level).findLast(Boolean)?.id
    const section = { id, title: oneLine(title), level, ...(parent && { parent }), blocks }
    this.#open.splice(level, Number.POSITIVE_INFINITY)
    this.#open[level] = section
    this.sections.push(section)
  }

  #unique(name: string): string {
    const count = this.#ids.get(name) ?? 0
    this.#ids.set(name, count + 1)
    return count === 0 ? name : this.#unique(`${name}-${count}`)
  }

  page(url: string, title: string): Page {
    const health = { region: '', reason: 'markdown' as const, kept: 1, suspectedShell: false }
    return { url, title: oneLine(title), sections: this.sections, health }
  }
}

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** A fragment for a title, as GitHub makes it. */
export const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]+/gu, ' ')
    .trim()
    .replace(/\s+/g, '-')

export const textBlock = (markdown: string): Block[] =>
  markdown === '' ? [] : [{ kind: 'text', markdown }]

/** The blocks of a description in Markdown; its titles are bold. */
export function describe(value: string): Block[] {
  if (value.trim() === '') return []
  const rest = value.length - maxDescription
  const { sections } = cleanMarkdown(value.slice(0, maxDescription))
  const blocks = sections.flatMap(({ title, level, blocks }) => [
    ...textBlock(level > 0 && title !== '' ? `**${title}**` : ''),
    ...blocks,
  ])
  return [...blocks, ...textBlock(rest > 0 ? `[${rest} more characters, not read]` : '')]
}

/** The same for the cell of a table. */
export function describeInCell(value: string): string {
  if (!/[[<\n]/.test(value)) return value.slice(0, maxDescription).trim()
  return describe(value)
    .map(({ markdown, lead = '' }) => lead + markdown)
    .join('\n')
}

/** A table of cells in Markdown, without the columns that are empty. */
export function tableBlock(head: readonly string[], rows: readonly string[][]): Block[] {
  if (rows.length === 0) return []
  const columns = head.flatMap((_, at) => (rows.some((row) => row[at]) ? [at] : []))
  const lineOf = (cells: readonly string[]) =>
    `|${columns.map((at) => cellOf(cells[at] ?? '')).join('|')}|`
  const rule = `|${columns.map(() => '-').join('|')}|`
  return [{ kind: 'table', markdown: [lineOf(head), rule, ...rows.map(lineOf)].join('\n') }]
}

const cellOf = (text: string): string => text.trim().replaceAll('|', '\\|').replace(/\n+/g, '<br>')

/** In characters. */
const maxExample = 4_000

/** A value as code in JSON, or a text as it is. */
export function exampleBlock(value: unknown): Block[] {
  if (value === undefined || value === '') return []
  const isText = typeof value === 'string'
  const code = isText ? value.slice(0, maxExample).trimEnd() : jsonOf(value, maxExample, 2)
  const markdown = fenced(code, isText ? '' : 'json')
  const lines = code.split('\n').length
  const isCut = isText && value.length > maxExample
  return [
    { kind: 'code', markdown, ...(!isText && { language: 'json' }), lines },
    ...textBlock(isCut ? `[${value.length - maxExample} more characters, not read]` : ''),
  ]
}

/** Before an integer that is text, because a number cannot hold it. */
export const longMark = '\ufdd3'
const longNumber = new RegExp(`"${longMark}(-?\\d+)"`, 'g')

/** A value as JSON, or what it is if that is longer. Aliases of YAML can repeat a value in it. */
export function jsonOf(value: unknown, maxLength: number, indent = 0): string {
  let length = 0
  const json = attempt(() => {
    return JSON.stringify(
      value,
      (key, part: unknown) => {
        length += key.length + (typeof part === 'string' ? part.length : 1)
        if (length > maxLength) throw new RangeError('too long')
        return part
      },
      indent,
    )
  }, undefined)
  return (
    json?.replace(longNumber, '$1') ?? `[a value of more than ${maxLength} characters, not read]`
  )
}
