import { isMacro, MdocLine, type PageState } from './mdoc-line.ts'
import type { PageWriter } from './page-writer.ts'
import { type Request, requestOf } from './request.ts'

const lists: Readonly<Record<string, 'ul' | 'ol' | 'table'>> = {
  ...{ '-bullet': 'ul', '-dash': 'ul', '-hyphen': 'ul', '-item': 'ul', '-enum': 'ol' },
  '-column': 'table',
}
/** In a synopsis, these begin a line; a function does unless its type is before it. */
const synopsisLine = /^(?:Nm|Fd|Fn|Fo|Ft|In|Vt)$/

/** Of `Bf`, which has a macro or the name of a kind. */
const blockFonts: Readonly<Record<string, string>> = {
  ...{ Em: 'I', '-emphasis': 'I', Li: 'C', '-literal': 'C', Sy: 'B', '-symbolic': 'B' },
}

/** The lists that are open, and their macros. */
class Lists {
  readonly open: ('ul' | 'ol' | 'dl' | 'table')[] = []
  readonly #writer: PageWriter
  readonly #html: (words: readonly string[]) => string

  constructor(writer: PageWriter, html: (words: readonly string[]) => string) {
    this.#writer = writer
    this.#html = html
  }

  begin(args: readonly string[]): void {
    const tag = lists[args.find((word) => Object.hasOwn(lists, word)) ?? ''] ?? 'dl'
    this.open.push(tag)
    if (tag === 'table') this.#writer.beginTable()
    else this.#writer.open(tag)
  }

  /** Cells of a table are between tabs, or the macro `Ta`. */
  item({ args, rest }: Request): void {
    const tag = this.open.at(-1)
    const cells = tag === 'table' ? rest.split(/\t|(?:^|\s+)Ta(?:\s+|$)/) : []
    if (tag === 'dl') this.#writer.term(this.#html(args))
    else if (tag === 'table')
      this.#writer.row(cells.map((cell) => this.#html(requestOf(`.It ${cell}`).args)))
    else {
      if (tag) this.#writer.listItem(tag)
      if (args.length > 0) this.#writer.line(this.#html(args))
    }
  }

  end(): void {
    const tag = this.open.pop()
    if (tag === 'table') this.#writer.endTable()
    else if (tag) this.#writer.close()
  }
}

/** The macros of mdoc; a call is false for the name of no macro. */
export function mdocMacros(writer: PageWriter): (request: Request) => boolean {
  const page: PageState = { name: '', isSynopsis: false }
  let isAfterType = false
  const html = (words: readonly string[]) => new MdocLine(words, writer.text, page).html()
  const list = new Lists(writer, html)
  const paragraph = () => writer.paragraph()
  const heading = (level: number, title: string) => {
    list.open.length = 0
    page.isSynopsis = /^synopsis$/i.test(title)
    writer.heading(level, writer.text.plain(title))
  }
  const codeLine = ({ args }: Request) => {
    writer.beginCode()
    writer.line(html(args))
    writer.endCode()
  }
  const blocks = new Map<string, (request: Request) => void>([
    ...['Dd', 'Dt', 'Os'].map((name) => [name, () => {}] as const),
    ...['Pp', 'Lp', 'Rs', 'Re'].map((name) => [name, paragraph] as const),
    ...['D1', 'Dl'].map((name) => [name, codeLine] as const),
    ['Bf', ({ args }) => writer.text.setBase(blockFonts[args[0] ?? ''])],
    ['Ef', () => writer.text.setBase()],
    ['Sh', ({ args }) => heading(2, args.join(' '))],
    ['Ss', ({ args }) => heading(3, args.join(' '))],
    ['It', (request) => list.item(request)],
    ['Bl', ({ args }) => list.begin(args)],
    ['El', () => list.end()],
    ['Ta', ({ args }) => writer.cell(html(args))],
    ['Nd', ({ args }) => writer.line(`– ${html(args)}`)],
    [
      'Bd',
      ({ args }) =>
        args.some((word) => /^-(?:literal|unfilled)$/.test(word))
          ? writer.beginCode()
          : paragraph(),
    ],
    [
      'Ed',
      () => {
        writer.endCode()
        paragraph()
      },
    ],
    [
      'Nm',
      ({ args }) => {
        page.name ||= args[0] ?? ''
        writer.line(html(['Nm', ...args]))
      },
    ],
  ])
  return (request) => {
    const { name, args } = request
    const block = blocks.get(name)
    if (!block && !isMacro(name) && !/^%[A-Z]$/.test(name)) return false
    if (page.isSynopsis && synopsisLine.test(name)) {
      if (!isAfterType) paragraph()
      isAfterType = name === 'Ft'
    }
    if (block) block(request)
    else writer.line(name.startsWith('%') ? `${html(args)},` : html([name, ...args]))
    return true
  }
}
