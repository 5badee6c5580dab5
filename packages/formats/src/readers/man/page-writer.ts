import { escapeHtml } from '../../parts/escape-html.ts'
import { type Row, tableHtml } from '../../parts/table-html.ts'
import type { RoffText } from './roff-text.ts'

/** Deeper lists and indents have no element of their own. */
const maxDepth = 32

const items = { dl: 'dd', ul: 'li', ol: 'li', div: '' } as const
type BoxTag = keyof typeof items

/** A list, or an indent without one, which is a `div`. */
interface Box {
  tag: BoxTag
  isItemOpen: boolean
  isWritten: boolean
}

/** As DocBook writes a term: `<b>--all</b>, <b>-a</b>`, `-a, --all`. */
const termLine = /^(?:(?:<(b|i)>[^<]{1,200}<\/\1>[\s,|]*)+|-[^<]{1,200})$/

/** Writes the parts of a man page as HTML. */
export class PageWriter {
  readonly text: RoffText
  /** Of the link that is open. */
  address = ''
  readonly #html: string[] = []
  readonly #boxes: Box[] = []
  readonly #written: Box[] = []
  readonly #ids = new Map<string, number>()
  #paragraph: string[] = []
  /** Lines of code, while a block of it is open. */
  #code: string[] | undefined
  /** The rows of a table, while it is open. */
  #rows: Row[] | undefined
  #awaitsTerm = false

  constructor(text: RoffText) {
    this.text = text
  }

  get isCode(): boolean {
    return this.#code !== undefined
  }

  /** One line: of code, a term, or a part of a paragraph. */
  line(html: string): void {
    const row = this.#rows?.at(-1)
    if (this.#code) this.#code.push(html.replace(/<\/?(?:b|i|code)>/g, ''))
    else if (row) row.push(`${row.pop() ?? ''} ${html}`)
    else if (this.#awaitsTerm && html.trim() !== '') this.term(html)
    else this.#paragraph.push(html)
  }

  heading(level: number, title: string): void {
    this.endCode()
    this.endTable()
    while (this.#boxes.length > 0) this.close()
    this.paragraph()
    this.text.reset()
    this.#html.push(`<h${level}>${title}</h${level}>`)
  }

  /** End the paragraph; in code, this is an empty line. */
  paragraph(): void {
    if (this.#code) {
      this.#code.push('')
      return
    }
    const html = this.#paragraph.join('\n').trim()
    this.#paragraph = []
    this.#awaitsTerm = false
    this.write(html === '' ? '' : `<p>${html}</p>`)
  }

  /** A new item of the list of this kind, which may have to be opened. */
  listItem(tag: 'dl' | 'ul' | 'ol'): void {
    this.endCode()
    this.paragraph()
    const [box] = this.#boxes.slice(-1)
    if (box?.tag !== tag) {
      if (box && box.tag !== 'div') this.close()
      this.open(tag)
    }
    this.#endItem()
    if (tag === 'dl') this.#awaitsTerm = true
  }

  open(tag: BoxTag): void {
    if (tag !== 'div') this.endCode()
    if (!this.isCode) this.paragraph()
    // An indent in code is not written.
    const isWritten = this.#boxes.length < maxDepth && !this.isCode
    if (isWritten) this.write(`<${tag}>`)
    const box = { tag, isItemOpen: false, isWritten }
    this.#boxes.push(box)
    if (isWritten) this.#written.push(box)
  }

  /** An indent; a line before it that is all in one font, or an option, is the term that it describes. */
  indent(): void {
    const [line = '', ...more] = this.#paragraph
    if (!this.isCode && more.length === 0 && termLine.test(line.trim())) {
      this.#paragraph = []
      this.listItem('dl')
      this.term(line)
    }
    this.open('div')
  }

  /** A term of the innermost list; several terms may share what follows. */
  term(html: string): void {
    this.paragraph()
    this.#endItem()
    const words = html.replace(/<[^>]*>|&\w+;/g, '').trim()
    const name = words.split(/[\s,=[("]/, 1)[0]?.slice(0, 80) ?? ''
    const count = this.#ids.get(name) ?? 0
    this.#ids.set(name, count + 1)
    const id = /[\w?-]/.test(name) ? ` id="${name}${count > 0 ? `~${count + 1}` : ''}"` : ''
    this.#html.push(`<dt${id}>${html}</dt>`)
  }

  /** The next line is one more term. */
  awaitTerm(): void {
    this.#awaitsTerm = true
  }

  /** End the innermost lists, up to the indent around them. */
  closeLists(): void {
    this.paragraph()
    if (!this.#code)
      while (this.#boxes.length > 0 && this.#boxes.at(-1)?.tag !== 'div') this.close()
  }

  /** End the innermost list or indent. */
  close(): void {
    const isInCode = this.isCode && this.#boxes.at(-1)?.isWritten === false
    if (!isInCode) {
      this.endCode()
      this.paragraph()
      this.#endItem()
    }
    const box = this.#boxes.pop()
    if (box?.isWritten) this.#html.push(`</${this.#written.pop()?.tag}>`)
  }

  beginCode(): void {
    this.endCode()
    this.paragraph()
    this.#code = []
  }

  endCode(): void {
    const text = this.#code?.join('\n').replace(/^\n+/, '').trimEnd()
    this.#code = undefined
    if (text) this.write(`<pre>\n${text}</pre>`)
  }

  code(lines: readonly string[]): void {
    this.beginCode()
    this.#code = lines.map(escapeHtml)
    this.endCode()
  }

  beginTable(): void {
    this.endCode()
    this.paragraph()
    this.#rows = []
  }

  row(cells: Row): void {
    this.#rows?.push(cells)
  }

  /** One more cell of the last row. */
  cell(html: string): void {
    this.#rows?.at(-1)?.push(html)
  }

  /** A first row of bold words is the header. */
  endTable(): void {
    const isHead = this.#rows?.[0]?.every((cell) => /^<b>[^<]*<\/b>$/.test(cell))
    if (this.#rows) this.write(tableHtml(this.#rows, isHead ? 1 : 0))
    this.#rows = undefined
  }

  end(): string {
    this.endCode()
    this.endTable()
    while (this.#boxes.length > 0) this.close()
    this.paragraph()
    return this.#html.join('\n')
  }

  /** A block of HTML. */
  write(html: string): void {
    const box = this.#written.at(-1)
    if (html === '') return
    if (box && !box.isItemOpen && items[box.tag]) this.#html.push(`<${items[box.tag]}>`)
    if (box) box.isItemOpen = true
    this.#html.push(html)
  }

  #endItem(): void {
    const box = this.#boxes.at(-1)
    if (box?.isWritten && box.isItemOpen && items[box.tag]) this.#html.push(`</${items[box.tag]}>`)
    if (box) box.isItemOpen = false
  }
}
