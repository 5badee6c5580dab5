import { escapeHtml } from '../../parts/escape-html.ts'
import type { PageWriter } from './page-writer.ts'
import type { Request } from './request.ts'

type Macro = (writer: PageWriter, request: Request) => void

const paragraph: Macro = (writer) => {
  writer.closeLists()
  writer.text.reset()
}
const heading =
  (level: number): Macro =>
  (writer, { args }) =>
    writer.heading(level, writer.text.plain(args.join(' ')))
/** Arguments in these fonts by turns, or all of them in one. */
const inFonts =
  (...fonts: string[]): Macro =>
  (writer, { args }) => {
    const words = fonts.length === 1 ? [args.join(' ')] : args
    const parts = words.map((word, at) => writer.text.inFont(fonts[at % fonts.length] ?? '', word))
    writer.line(parts.join(''))
  }

/** The address of a link is text, too: it may have no other. */
const beginLink: Macro = (writer, { rest }) => {
  writer.address = rest
  writer.line(`<a href="${escapeHtml(rest)}">`)
}
const endLink: Macro = (writer, { args }) =>
  writer.line(`</a>&lt;${escapeHtml(writer.address)}&gt;${writer.text.html(args.join(' '))}`)

/** A paragraph with a sign or a term before it. */
const marked: Macro = (writer, { args }) => {
  writer.text.reset()
  const term = writer.text.html(args[0] ?? '').trim()
  const sign = term.replace(/<[^>]*>/g, '')
  if (sign === '') writer.paragraph()
  else if (/^[•·*o□○\-–—+]$/.test(sign)) writer.listItem('ul')
  else if (/^[([]?\d{1,3}[.)\]]$/.test(sign)) writer.listItem('ol')
  else {
    writer.listItem('dl')
    writer.line(term)
  }
}

/** A synopsis, and an optional part of it. */
const synopsis: Macro = (writer, { args }) => {
  writer.paragraph()
  if (args.length > 0) writer.line(writer.text.inFont('B', args.join(' ')))
}
const optional: Macro = (writer, { args }) => writer.line(`[${writer.text.plain(args.join(' '))}]`)
const reference: Macro = (writer, { args: [page = '', section = '', after = ''] }) =>
  writer.line(writer.text.html(`${page}(${section})${after}`))

/** Macros of man, by their names. */
const macros = new Map<string, Macro>([
  ...['PP', 'P', 'LP', 'HP'].map((name) => [name, paragraph] as const),
  ...['B', 'I', 'BI', 'BR', 'IB', 'IR', 'RB', 'RI'].map(
    (fonts) => [fonts, inFonts(...fonts)] as const,
  ),
  ['SM', inFonts('R')],
  ['SB', inFonts('B')],
  ['TH', () => {}],
  ['SH', heading(2)],
  ['SS', heading(3)],
  [
    'TP',
    (writer) => {
      writer.listItem('dl')
      writer.text.reset()
    },
  ],
  ['TQ', (writer) => writer.awaitTerm()],
  ['IP', marked],
  ['RS', (writer) => writer.indent()],
  [
    'RE',
    (writer) => {
      writer.closeLists()
      writer.close()
    },
  ],
  ['SY', synopsis],
  ['YS', synopsis],
  ['OP', optional],
  ['MR', reference],
  ['UR', beginLink],
  ['MT', beginLink],
  ['UE', endLink],
  ['ME', endLink],
])

/** The macros of man; a call is false for the name of no macro. */
export const manMacros =
  (writer: PageWriter) =>
  (request: Request): boolean => {
    const macro = macros.get(request.name)
    macro?.(writer, request)
    return macro !== undefined
  }
