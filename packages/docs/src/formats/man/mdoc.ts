import { isMacro, MdocLine, type PageState } from './mdoc-line.ts'
import type { PageWriter } from './page-writer.ts'
import { type Request, requestOf } from './request.ts'

const lists: Readonly<Record<string, 'ul' | 'ol' | 'table'>> = {
  ...{ '-bullet': 'ul', '-dash': 'ul', '-hyphen': 'ul', '-item': 'ul', '-enum': 'ol' },
  '-column': 'table',
}
/** In a synopsis, these begin a line; a function does unless its type is before it. */
const synopsisLine = /^(?:Nm|F[tndo]|In|Vt)$/

/** The macros of mdoc; a call is false for the name of no macro. */
export function mdocMacros(writer: PageWriter): (request: Request) => boolean {
  const page: PageState = { name: '', isSynopsis: false }
  const openLists: ('ul' | 'ol' | 'dl' | 'table')[] = []
  /** The name and the parameters of the function that is open. */
  let parts: string[] | undefined
  let isAfterType = false
  const html = (words: readonly string[]) => new MdocLine(words, writer.text, page).html()
  const paragraph = () => writer.paragraph()
  const heading = (level: number, title: string) => {
    openLists.length = 0
    page.isSynopsis = /^synopsis$/i.test(title)
    writer.heading(level, writer.text.plain(title))
  }
  const codeLine = ({ args }: Request) => {
    writer.beginCode()
    writer.line(html(args))
    writer.endCode()
  }
  const item = ({ args, rest }: Request) => {
    const tag = openLists.at(-1)
    const cells = () =>
      rest.split(/\t|(?:^|\s+)Ta(?:\s+|$)/).map((cell) => requestOf(`.It ${cell}`))
    if (tag === 'dl') writer.term(html(args))
    else if (tag === 'table') writer.row(cells().map((cell) => html(cell.args)))
    else if (tag) writer.listItem(tag)
    else writer.line(html(args))
  }
  const blocks = new Map<string, (request: Request) => void>([
    ...['Dd', 'Dt', 'Os'].map((name) => [name, () => {}] as const),
    ...['Pp', 'Rs', 'Re'].map((name) => [name, paragraph] as const),
    ...['D1', 'Dl'].map((name) => [name, codeLine] as const),
    ['Sh', ({ args }) => heading(2, args.join(' '))],
    ['Ss', ({ args }) => heading(3, args.join(' '))],
    ['It', item],
    ['Ta', ({ args }) => writer.cell(html(args))],
    ['Nd', ({ args }) => writer.line(`– ${html(args)}`)],
    [
      'Bl',
      ({ args }) => {
        const tag = lists[args.find((word) => Object.hasOwn(lists, word)) ?? ''] ?? 'dl'
        openLists.push(tag)
        if (tag === 'table') writer.beginTable()
        else writer.open(tag)
      },
    ],
    [
      'El',
      () => {
        const tag = openLists.pop()
        if (tag === 'table') writer.endTable()
        else if (tag) writer.close()
      },
    ],
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
    [
      'Fo',
      ({ args }) => {
        parts = args.slice(0, 1)
      },
    ],
    [
      'Fc',
      () => {
        if (parts) writer.line(html(['Fn', ...parts]))
        parts = undefined
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
    else if (name === 'Fa' && parts) parts.push(...args)
    else writer.line(name.startsWith('%') ? `${html(args)},` : html([name, ...args]))
    return true
  }
}
