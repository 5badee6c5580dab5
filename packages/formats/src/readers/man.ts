import { basename } from 'node:path'
import { cleanHtml } from '@pith-mcp/cleaner'
import type { Format } from '../format.ts'
import { Counts } from '../parts/counts.ts'
import { escapeHtml } from '../parts/escape-html.ts'
import { html } from './html.ts'
import { manMacros } from './man/man-macros.ts'
import { mdocMacros } from './man/mdoc.ts'
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
  `ad af am1 als bp c2 cc ce cf char ch cs de1 do ds1 ec eo em ev fam fchar fl fp ft hc hw hy hla hpf ie ig in
  it kern lc lf lg ll ls lt mk mc na ne nh nm nn nop nr ns nx pc PD pi pl pm pn po ps pso rj rm rn rr rs rt
  schar ss sv ta tc ti tm tr uf ul vs warn wh writec DT UC AT IX Hr Os Bk Ek Sm El TA P! color nroff troff
  mso shc spreadwarn fspecial ftr hym hys`.split(/\s+/),
)

function toHtml(source: string, url: string, counts: Counts): string {
  const lines = source.replace(/\r\n?/g, '\n').replaceAll('\\\n', '').split('\n')
  const name = basename(url.replace(/[?#].*$/s, '')).replace(/\.gz$/i, '')
  const [, title = name, section = ''] = /^(.*)\.(\w+)$/.exec(name) ?? []
  const isMdoc = lines.some((line) => /^\.\s*(?:Dd|Sh)\s/.test(line))
  const reader = new ManReader({
    counts,
    isMdoc,
    text: new RoffText(),
    macros: new Map(),
    left: maxSteps,
  })
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
  macros: Map<string, readonly string[]>
  /** Lines of macros that may still be performed. */
  left: number
}

/** Reads lines of roff. */
class ManReader {
  readonly writer: PageWriter
  readonly #shared: Shared
  readonly #conditions = new Conditions()
  readonly #unended = new Set<string>()
  readonly #runMacro: (request: Request) => boolean

  constructor(shared: Shared) {
    this.#shared = shared
    this.writer = new PageWriter(shared.text)
    this.#runMacro = (shared.isMdoc ? mdocMacros : manMacros)(this.writer)
  }

  html(lines: readonly string[], depth = 0): string {
    this.#read(lines, depth)
    return this.writer.end()
  }

  #read(lines: readonly string[], depth: number): void {
    const { text } = this.writer
    for (let at = 0; at < lines.length; at++) {
      const line = (lines[at] ?? '').replace(/(?<!\\)(?:\\\\)*\\["#].*$/, '')
      const words = this.#conditions.textOf(line)
      if (words === undefined) continue
      if (/^[.']/.test(words)) at = this.#perform(requestOf(words), lines, at, depth)
      else if (words.trim() === '' && line === lines[at]) this.writer.paragraph()
      else if (words !== '')
        this.writer.line(text.html(/^\s/.test(words) && !this.writer.isCode ? words.trim() : words))
    }
  }

  /** Perform a request, which may have lines of its own: the index of the last of them. */
  #perform(request: Request, lines: readonly string[], at: number, depth: number): number {
    const { name, args, rest } = request
    const { counts, text, macros } = this.#shared
    const end = blockEnd(request, lines, at, this.#unended)
    const block = lines.slice(at + 1, end)
    if (name === 'TS' && end > at) this.#table(block, depth)
    else if (name === 'EQ' && end > at) this.writer.code(block.map((line) => text.plain(line)))
    else if (name === 'de' && end > at) macros.set(args[0] ?? '', block.slice(0, maxMacroLines))
    else if (end > at) return end
    else if (name === 'ds') text.define(args[0] ?? '', rest.replace(/^\S+\s*"?/, ''))
    else if (name === 'so') {
      counts.add('included file', 1)
      this.writer.line(`See <a href="${escapeHtml(rest)}">${escapeHtml(rest)}</a>.`)
    } else if (!this.#common(request) && !this.#runMacro(request) && !noText.has(name))
      this.#call(request, depth)
    return end
  }

  #common(request: Request): boolean {
    const perform = common.get(request.name)
    perform?.(this.writer, request)
    return perform !== undefined
  }

  /** Perform a macro that the page defines; of all others, the arguments are text. */
  #call({ name, args }: Request, depth: number): void {
    const { macros, text, counts } = this.#shared
    const body = macros.get(name)
    if (!body) {
      if (args.length > 0) this.writer.line(text.html(args.join(' ')))
      return
    }
    this.#shared.left -= body.length
    if (depth >= maxNesting || this.#shared.left < 0) counts.add('macro past the limit', 1)
    else
      this.#read(
        body.map((line) =>
          line
            .replace(/\\\\\$([1-9@*])/g, (_, at) =>
              at > 0 ? (args[at - 1] ?? '') : args.join(' '),
            )
            .replaceAll('\\\\', '\\'),
        ),
        depth + 1,
      )
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

/** Requests with lines of their own: the index of the last of them. */
const ends: Readonly<Record<string, RegExp>> = {
  TS: /^\.\s*TE/,
  EQ: /^\.\s*EN/,
  PS: /^\.\s*PE/,
  de: /^\.\.|^\.\s*END/,
  am: /^\.\./,
  ig: /^\.\./,
}

/** `unended`: requests without an end, so that it is looked for once. */
function blockEnd(
  { name }: Request,
  lines: readonly string[],
  at: number,
  unended: Set<string>,
): number {
  const end = Object.hasOwn(ends, name) && !unended.has(name) ? ends[name] : undefined
  if (!end) return at
  for (let next = at + 1; next < lines.length; next++) if (end.test(lines[next] ?? '')) return next
  unended.add(name)
  return at
}

/** Conditions: `n`, the terminal, and `\n(.g`, groff, are true, and what is not known is false. */
class Conditions {
  /** Open braces of the part that is skipped. */
  #skipped = 0
  #last = false

  /** The text of a line; undefined if it is skipped or a condition alone. */
  textOf(line: string): string | undefined {
    if (this.#skipped > 0) {
      this.#skipped = Math.max(0, this.#skipped + bracesOf(line))
      return undefined
    }
    const [, request, condition = '', rest = ''] =
      /^[.']\s*(?:(if|ie)\s+(!?\s*(?:'[^']*'[^']*'|[^\s\\]|\\[^{\s]\S*)[^\s\\]*)|el)\s*(.*)$/.exec(
        line,
      ) ?? (/^[.']\s*\\}/.test(line) ? [] : [])
    if (!/^[.']\s*(?:if|ie|el)\b/.test(line)) return line.replace(/\\}\s*$/, '').replace(/^\.$/, '')
    const isTrue = request
      ? /^(?:n|!\s*t|\\n(?:\(\.g|\[\.g\]))$/.test(condition.trim())
      : !this.#last
    if (request !== 'if') this.#last = isTrue
    if (isTrue) return rest.replace(/^\\{\s*/, '')
    this.#skipped = Math.max(0, bracesOf(line))
    return undefined
  }
}

const bracesOf = (line: string): number =>
  (line.match(/\\{/g)?.length ?? 0) - (line.match(/\\}/g)?.length ?? 0)

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
])
