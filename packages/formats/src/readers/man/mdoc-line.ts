import { escapeHtml } from '../../parts/escape-html.ts'
import type { RoffText } from './roff-text.ts'

/** What the lines of a page have in common. */
export interface PageState {
  /** Of the page, which `Nm` repeats. */
  name: string
  isSynopsis: boolean
}

/** Macros by the font of their arguments, which are text. */
const fonts = [
  'I Ar Em Va Vt Ft Pa Ad',
  'B Cm Ic Sy Cd Fd',
  'C Li Ql Ev Dv Er',
  'R Tn No Mt Sx Ms Ot Fr Hf Me',
]
const systems: Readonly<Record<string, string>> = {
  ...{ Ux: 'UNIX', Bx: 'BSD', Fx: 'FreeBSD', Nx: 'NetBSD', Ox: 'OpenBSD' },
  ...{ Dx: 'DragonFly', Bsx: 'BSD/OS', At: 'AT&T UNIX' },
}
/** Signs around the rest of a line, or from a macro to another. */
const quotes =
  'Op Oo Oc [ ] Bq Bo Bc [ ] Pq Po Pc ( ) Aq Ao Ac < > Brq Bro Brc { } Dq Do Dc “ ” Sq So Sc ‘ ’ Qq Qo Qc " "'

/** A word that no line of a page has: where its lines end, if several are one. */
export const lineEnd = '\n'

/** Macros by what they make of the words after them. */
const forms = new Map<string, (line: MdocLine) => void>([
  ...fonts.flatMap((words) => {
    const [font = '', ...macros] = words.split(' ')
    return macros.map((name) => [name, (line: MdocLine) => line.use(font)] as const)
  }),
  ...Object.entries(systems).map(
    ([name, system]) => [name, (line: MdocLine) => line.write('R', system)] as const,
  ),
  ...(quotes.match(/\S+ \S+ \S+ \S \S/g) ?? []).flatMap((words) => {
    const [rest = '', first = '', last = '', before = '', after = ''] = words.split(' ')
    return [
      [rest, (line: MdocLine) => line.enclose(before, after)] as const,
      [first, (line: MdocLine) => line.enclose(before)] as const,
      [last, (line: MdocLine) => line.close(after)] as const,
    ]
  }),
  ['Xo', (line) => line.begin()],
  ['Xc', (line) => line.end()],
  [lineEnd, (line) => line.endLine()],
  ['Eo', (line) => line.write('R', line.take(), true)],
  ['Ec', (line) => line.close(line.take())],
  ['Bt', (line) => line.write('R', 'is currently in beta test.')],
  ['Ud', (line) => line.write('R', 'currently under development.')],
  ['Ar', (line) => line.use('I', 'file ...')],
  ['Nm', (line) => line.use('B', line.page.name)],
  ['An', (line) => line.flag('') || line.use('R')],
  ['Fl', (line) => line.option()],
  ['Ns', (line) => line.join()],
  ['Ap', (line) => line.close("'", true)],
  ['Pf', (line) => line.write('R', line.take(), true)],
  ['Fa', (line) => line.parameters()],
  ['Fo', (line) => line.beginCall()],
  ['Fc', (line) => line.endCall()],
  ['Fn', (line) => line.add(line.call(line.take(), () => line.list()))],
  ['Xr', (line) => line.write('R', `${line.take()}${line.text ? `(${line.take()})` : ''}`)],
  ['In', (line) => line.include(line.take())],
  ['Lk', (line) => line.link(line.take(), line.take())],
  ['Lb', (line) => line.library(line.take())],
  ['St', (line) => line.write('R', line.take().replace(/^-(?:p(?=1003))?/, 'Standard '))],
  ['Ex', (line) => line.standard('utilit', 'y exits', 'ies exit', exits)],
  ['Rv', (line) => line.standard('function', ' returns', 's return', returns)],
])
const exits = '0 on success, and >0 if an error occurs.'
const returns =
  'the value 0 if successful; otherwise the value -1 is returned and the global variable errno is set to indicate the error.'

export const isMacro = (word: string): boolean => forms.has(word)

const closing = /^[.,:;)\]?!]$/
const isText = (word: string | undefined): word is string =>
  word !== undefined && !isMacro(word) && !closing.test(word)

/** The words of a line, among which there are macros. */
export class MdocLine {
  readonly page: PageState
  readonly #words: readonly string[]
  /** Only signs follow it. */
  readonly #lastText: number
  readonly #roff: RoffText
  readonly #parts: string[] = []
  /** Signs that end what is enclosed, and how many of them each open `Xo` leaves. */
  readonly #pending: string[] = []
  readonly #scopes: number[] = []
  /** The parameters of the function that is open, and its name. */
  #call: string[] | undefined
  #callName = ''
  #at = 0
  #font = 'R'
  /** Before the next words: `Fl Fl help` is `--help`. */
  #dashes = ''
  #isJoined = true

  constructor(words: readonly string[], roff: RoffText, page: PageState) {
    this.page = page
    this.#words = words
    this.#lastText = words.findLastIndex((word) => !closing.test(word))
    this.#roff = roff
  }

  html(): string {
    while (this.#at < this.#words.length) {
      const form = forms.get(this.#words[this.#at] ?? '')
      if (form) {
        this.#at++
        form(this)
      } else if (this.text) this.#write()
      else this.#delimit()
    }
    this.#scopes.length = 0
    this.#closeAll()
    return this.#parts.join('')
  }

  /** The next word, unless it is a macro or a sign. */
  get text(): string | undefined {
    const word = this.#words[this.#at]
    return isText(word) ? word : undefined
  }

  take(): string {
    const word = this.text ?? ''
    if (word) this.#at++
    return word
  }

  add(html: string, joinsNext = false): void {
    if (html === '') return
    this.#parts.push(this.#isJoined ? html : ` ${html}`)
    this.#isJoined = joinsNext
  }

  write(font: string, text: string, joinsNext = false): void {
    this.add(this.#roff.inFont(font, text), joinsNext)
  }

  /** The font of the words that follow, and what stands there without words. */
  use(font: string, otherwise = ''): void {
    this.#font = font
    this.#dashes = ''
    if (!this.text) this.write(font, otherwise)
  }

  join(): void {
    this.#isJoined = true
    this.#font = 'R'
  }

  option(): void {
    this.#font = 'B'
    this.#dashes += '\\-'
    const next = this.#words[this.#at]
    if (this.text || next === 'Fl') return
    this.write('B', this.#dashes, next !== undefined && next !== lineEnd && isMacro(next))
    this.#dashes = ''
  }

  enclose(before: string, after = ''): void {
    this.write('R', before, true)
    if (after) this.#pending.push(after)
    this.#font = 'R'
  }

  begin(): void {
    this.#scopes.push(this.#pending.length)
    this.#font = 'R'
  }

  end(): void {
    this.#closeAll()
    this.#scopes.pop()
    this.#font = 'R'
  }

  endLine(): void {
    this.#closeAll()
    this.#font = 'R'
    this.#dashes = ''
  }

  close(after: string, joinsNext = false): void {
    this.join()
    this.write('R', after, joinsNext)
  }

  /** Take a flag, which is no text: what it is without its dash. */
  flag(otherwise: string): string {
    return this.text?.startsWith('-') ? this.take().slice(1) : otherwise
  }

  /** The parameters that follow. */
  list(): string {
    const parts: string[] = []
    while (this.text) parts.push(this.#roff.inFont('I', this.take()))
    return parts.join(', ')
  }

  parameters(): void {
    const list = this.list()
    if (this.#call) this.#call.push(list)
    else this.add(list)
  }

  beginCall(): void {
    this.#call = []
    this.#callName = this.take()
  }

  endCall(): void {
    const list = (this.#call ?? []).join(', ')
    this.add(this.call(this.#callName, () => list))
    this.#call = undefined
  }

  call(name: string, parameters: () => string): string {
    const end = this.page.isSynopsis ? ';' : ''
    return `${this.#roff.inFont('B', name)}(${parameters()})${end}`
  }

  include(name: string): void {
    if (this.page.isSynopsis) this.write('B', `#include <${name}>`)
    else this.write('R', `<${name}>`)
  }

  link(url: string, title: string): void {
    const words = [title || url]
    while (this.text) words.push(this.take())
    const address = title ? `: ${escapeHtml(url)}` : ''
    this.add(
      `<a href="${escapeHtml(url)}">${this.#roff.inFont('R', words.join(' '))}</a>${address}`,
    )
  }

  library(name: string): void {
    this.write('R', this.#roff.definitions.string(`str-Lb-${name}`) ?? `library “${name}”`)
  }

  /** A sentence about the functions or programs that follow, or about that of the page. */
  standard(noun: string, singular: string, plural: string, rest: string): void {
    this.flag('')
    const names = [this.take() || this.page.name]
    while (this.text) names.push(this.take())
    const calls = names.map((name) => `\\fB${name}\\fR${noun === 'function' ? '()' : ''}`)
    this.write(
      'R',
      `The ${calls.join(', ')} ${noun}${names.length > 1 ? plural : singular} ${rest}`,
    )
  }

  #write(): void {
    const words: string[] = []
    while (this.text) words.push((this.text === '|' ? '' : this.#dashes) + this.take())
    this.#dashes = ''
    this.write(this.#font, words.join(' '), /^[([]$/.test(words.at(-1) ?? ''))
  }

  #delimit(): void {
    if (this.#at > this.#lastText) this.#closeAll()
    this.#isJoined = true
    this.write('R', this.#words[this.#at++] ?? '')
  }

  #closeAll(): void {
    for (const sign of this.#pending.splice(this.#scopes.at(-1) ?? 0).reverse())
      this.#parts.push(this.#roff.inFont('R', sign))
  }
}
