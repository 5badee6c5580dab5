import { basename } from 'node:path'
import { cleanHtml } from '@pith-mcp/cleaner'
import type { Format } from '../format.ts'
import { Counts } from '../parts/counts.ts'
import { escapeHtml } from '../parts/escape-html.ts'
import { html } from './html.ts'
import { Conditions } from './man/conditions.ts'
import { Definitions } from './man/definitions.ts'
import { manMacros } from './man/man-macros.ts'
import { mdocMacros } from './man/mdoc.ts'
import { lineEnd } from './man/mdoc-line.ts'
import { PageWriter } from './man/page-writer.ts'
import { type Request, requestOf } from './man/request.ts'
import { RoffText } from './man/roff-text.ts'
import { tblHtml } from './man/tbl.ts'

/** Manual pages, in the macros of man or mdoc. */
export const man: Format = {
  name: 'man',
  types: /^(?:application|text)\/(?:x-)?troff(?:-man)?$/,
  names: /(?<=[\w)\]+])\.[1-9][a-z]{0,11}(?:\.gz)?$/i,
  maxInlineLength: 2 ** 17,
  recognises: (text) => /^[.']\s*(?:TH|Dd|Dt|SH|Sh|so)\s/m.test(text.slice(0, 2 ** 16)),
  read(text, options) {
    const counts = new Counts()
    return counts.onPage(cleanHtml(toHtml(text, options.url ?? '', counts), options))
  },
  links: (text, base, page) => html.links(toHtml(text, base, new Counts()), base, page),
}

/** Requests and macros that change only how a page looks. */
const noText = new Set(
  `ad af bp c2 cc ce cf char ch cs do ec eo em ev fam fchar fl fp ft hc hw hy hla hpf in it kern lc lf lg
  ll ls lt mk mc na ne nh nm nn ns nx pc PD pi pl pm pn po ps pso rj rm rn rr rs rt schar ss sv ta tc ti
  tm tr uf ul vs warn wh writec DT UC AT IX Hr Os Bk Ek Sm El TA Tg P! color nroff troff mso shc
  spreadwarn fspecial ftr hym hys`.split(/\s+/),
)

function toHtml(source: string, url: string, counts: Counts): string {
  const lines = source
    .replace(/\r\n?/g, '\n')
    .replace(/(?<!\\)((?:\\\\)*)\\\n/g, '$1')
    .split('\n')
  const name = basename(url.replace(/[?#].*$/s, '')).replace(/\.gz$/i, '')
  const [, title = name, section = ''] = /^(.*)\.(\w+)$/.exec(name) ?? []
  const isMdoc = lines.some((line) => /^\.\s*(?:Dd|Sh)\s/.test(line))
  const definitions = new Definitions(counts)
  const text = new RoffText(definitions)
  const reader = new ManReader({ counts, isMdoc, text, definitions, left: maxSteps })
  reader.writer.heading(1, escapeHtml(section ? `${title}(${section})` : title))
  return `<title>${escapeHtml(title)}</title><main>${reader.html(lines)}</main>`
}

/** Lines of macros that a page defines, of one and of all calls. */
const maxMacroLines = 100
const maxSteps = 50_000
const maxNesting = 5

/** What a page and the cells of its tables have in common. */
interface Shared {
  counts: Counts
  isMdoc: boolean
  text: RoffText
  definitions: Definitions
  /** Lines of macros that may still be performed. */
  left: number
}

/** Reads lines of roff. */
class ManReader {
  readonly writer: PageWriter
  readonly #shared: Shared
  readonly #conditions: Conditions
  readonly #unended = new Set<string>()
  readonly #runMacro: (request: Request) => boolean

  constructor(shared: Shared) {
    this.#shared = shared
    this.writer = new PageWriter(shared.text)
    this.#conditions = new Conditions(shared.definitions)
    this.#runMacro = (shared.isMdoc ? mdocMacros : manMacros)(this.writer)
  }

  html(lines: readonly string[], depth = 0): string {
    this.#read(lines, depth)
    return this.writer.end()
  }

  /** `call`: the arguments of the macro whose lines they are. */
  #read(lines: readonly string[], depth: number, call?: string[]): void {
    const { text } = this.writer
    for (let at = 0; at < lines.length; at++) {
      const source = withoutComment(lines[at] ?? '')
      const line = call ? withArguments(source, call) : source
      const words = this.#conditions.textOf(line)
      if (words === undefined) continue
      if (/^[.']/.test(words)) {
        const next = this.#command(requestOf(words), lines, at, depth, call)
        if (next === undefined) return
        at = next
      } else if (words.trim() === '' && line === lines[at]) this.writer.paragraph()
      else if (words !== '')
        this.writer.line(text.html(/^\s/.test(words) && !this.writer.isCode ? words.trim() : words))
    }
  }

  /** Perform a request: the index of the last of its lines; undefined if a macro returns. */
  #command(
    request: Request,
    lines: readonly string[],
    at: number,
    depth: number,
    call: string[] | undefined,
  ): number | undefined {
    if (call && request.name === 'return') return undefined
    if (call && request.name === 'shift') {
      call.splice(0, Number(request.args[0] ?? 1))
      return at
    }
    const end = this.#shared.isMdoc ? gatherLines(request, lines, at) : at
    return Math.max(end, this.#perform(request, lines, at, depth))
  }

  /** Perform a request, which may have lines of its own: the index of the last of them. */
  #perform(request: Request, lines: readonly string[], at: number, depth: number): number {
    const { name, rest } = request
    const { counts, text } = this.#shared
    const isOwn = this.#shared.definitions.macros.has(name)
    const end = isOwn ? at : blockEnd(request, lines, at, this.#unended)
    const block = lines.slice(at + 1, end)
    if (name === 'TS' && end > at) this.#table(block, depth)
    else if (name === 'EQ' && end > at) this.writer.code(block.map((line) => text.plain(line)))
    else if (/^(?:de|am)1?$/.test(name) && end > at) this.#define(request, block)
    else if (end > at) {
      if (name === 'PS') counts.add('drawing', 1)
      return end
    } else if (name === 'so') {
      counts.add('included file', 1)
      this.writer.line(`See <a href="${escapeHtml(rest)}">${escapeHtml(rest)}</a>.`)
    } else if (
      isOwn ||
      (!this.#set(request) &&
        !this.#common(request) &&
        !this.#runMacro(request) &&
        !noText.has(name))
    )
      this.#call(request, depth)
    return end
  }

  #define({ name, args: [macro = ''] }: Request, block: readonly string[]): void {
    const { macros } = this.#shared.definitions
    const before = name.startsWith('am') ? (macros.get(macro) ?? []) : []
    const lines = [...before, ...block]
    if (lines.length > maxMacroLines) this.#shared.counts.add('line past the limit', 1)
    macros.set(macro, lines.slice(0, maxMacroLines))
  }

  /** Set a string, a register, or another name of a macro. */
  #set({ name, args, rest }: Request): boolean {
    const { definitions } = this.#shared
    const [target = '', value = '', step] = args
    const string = () => definitions.interpolate(rest.replace(/^\S+\s*"?/, ''))
    if (/^ds1?$/.test(name)) definitions.define(target, string())
    else if (/^as1?$/.test(name)) definitions.append(target, string())
    else if (name === 'nr') definitions.setRegister(target, definitions.interpolate(value), step)
    else if (name === 'als') definitions.macros.set(target, [`.${value} \\\\$@`])
    else return false
    return true
  }

  #common(request: Request): boolean {
    const perform = common.get(request.name)
    perform?.(this.writer, request)
    return perform !== undefined
  }

  /** Perform a macro that the page defines; of all others, the arguments are text. */
  #call({ name, args }: Request, depth: number): void {
    const { definitions, text, counts } = this.#shared
    const body = definitions.macros.get(name)
    if (!body) {
      if (name !== '') definitions.unknown(name)
      if (args.length > 0) this.writer.line(text.html(args.join(' ')))
      return
    }
    this.#shared.left -= body.length
    if (depth >= maxNesting || this.#shared.left < 0) counts.add('macro past the limit', 1)
    else this.#read(body, depth + 1, [...args])
  }

  #table(block: readonly string[], depth: number): void {
    const html = tblHtml(block, (lines) => {
      const { text } = this.#shared
      text.reset()
      const [line = ''] = lines
      if (lines.length === 1 && !/^[.']/.test(line)) return text.html(line.trim())
      return depth < maxNesting ? new ManReader(this.#shared).html(lines, depth + 1) : ''
    })
    this.writer.paragraph()
    this.writer.write(html)
  }
}

const withoutComment = (line: string): string => line.replace(/(?<!\\)(?:\\\\)*\\["#].*$/, '')

/** A line of a macro with the arguments of its call. */
const withArguments = (line: string, args: readonly string[]): string =>
  line
    .replace(
      /\\\\(?:\$(?:([1-9@*])|\((\d\d)|\[(\d{1,2})\])|n(?:\(\.\$|\[\.\$\]))/g,
      (_, one, two, many) => {
        const which = one ?? two ?? many
        if (which === undefined) return String(args.length)
        if (which === '@') return args.map((word) => `"${word}"`).join(' ')
        return which === '*' ? args.join(' ') : (args[Number(which) - 1] ?? '')
      },
    )
    .replaceAll('\\\\', '\\')

/** Requests with lines of their own, which end with one of these. */
const ends = new Map([
  ['TS', 'TE'],
  ['EQ', 'EN'],
  ['PS', 'PE'],
])

/** The index of the last line of a request; `unended`: without an end, so that it is looked for once. */
function blockEnd(
  { name, args }: Request,
  lines: readonly string[],
  at: number,
  unended: Set<string>,
): number {
  const isDefinition = /^(?:de|am)1?$/.test(name)
  const end = isDefinition || name === 'ig' ? (args[isDefinition ? 1 : 0] ?? '.') : ends.get(name)
  if (!end || unended.has(`${name} ${end}`)) return at
  for (let next = at + 1; next < lines.length; next++)
    if (requestOf(lines[next] ?? '').name === end) return next
  unended.add(`${name} ${end}`)
  return at
}

/** Add the lines up to the end of each `Xo` and `Fo` to a request of mdoc: the index of the last of them. */
function gatherLines(request: Request, lines: readonly string[], at: number): number {
  const opened = (words: readonly string[]) =>
    words.filter((word) => /^[XF]o$/.test(word)).length -
    words.filter((word) => /^[XF]c$/.test(word)).length
  let open = opened([request.name, ...request.args])
  let end = at
  while (open > 0 && end + 1 < lines.length && end - at < maxMacroLines) {
    const line = withoutComment(lines[++end] ?? '')
    if (/^[.']?\s*$/.test(line)) continue
    const { name, args } = requestOf(line)
    const words = /^[.']/.test(line)
      ? [name, ...args]
      : line.split(/\s+/).map((word) => `\\&${word}`)
    open += opened(words)
    request.args.push(lineEnd, ...words)
    request.rest += ` ${line.replace(/^\./, '')}`
  }
  return end
}

const paragraph = (writer: PageWriter) => writer.paragraph()
const beginCode = (writer: PageWriter) => writer.beginCode()
const endCode = (writer: PageWriter) => writer.endCode()

/** Requests, and macros that man and mdoc share. */
const common = new Map<string, (writer: PageWriter, request: Request) => void>([
  ...['sp', 'Sp'].map((name) => [name, paragraph] as const),
  ...['nf', 'EX', 'Vb'].map((name) => [name, beginCode] as const),
  ...['fi', 'EE', 'Ve'].map((name) => [name, endCode] as const),
  ['br', (writer) => writer.isCode || writer.line('<br>')],
  ['ft', ({ text }, { args }) => text.setFont(args[0] ?? 'P')],
  ['nop', (writer, { rest }) => writer.line(writer.text.html(rest))],
])
