import { basename } from 'node:path'
import { cleanHtml } from '@pith-mcp/cleaner'
import type { Format } from './format.ts'
import { html } from './html.ts'
import { runMan } from './man/man-macros.ts'
import { runMdoc } from './man/mdoc.ts'
import { PageWriter } from './man/page-writer.ts'
import { type Request, requestOf } from './man/request.ts'
import { Counts } from './parts/counts.ts'
import { escapeHtml } from './parts/escape-html.ts'

/** Manual pages, in the macros of man or mdoc. */
export const man: Format = {
  name: 'man',
  types: /^(?:application|text)\/(?:x-)?troff(?:-man)?$/,
  names: /(?<=[\w)\]+])\.[1-9][a-z]{0,5}(?:\.gz)?$/i,
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
  const writer = new PageWriter()
  const lines = source.replace(/\r\n?/g, '\n').replaceAll('\\\n', '').split('\n')
  const name = basename(url.replace(/[?#].*$/s, '')).replace(/\.gz$/i, '')
  const [, title = name, section = ''] = /^(.*)\.(\w+)$/.exec(name) ?? []
  const run = lines.some((line) => /^\.\s*(?:Dd|Sh)\s/.test(line)) ? runMdoc : runMan
  writer.heading(1, escapeHtml(section ? `${title}(${section})` : title))
  const conditions = new Conditions()
  const unended = new Set<string>()
  for (let at = 0; at < lines.length; at++) {
    const line = (lines[at] ?? '').replace(/(?<!\\)(?:\\\\)*\\["#].*$/, '')
    const text = conditions.textOf(line)
    if (text === undefined) continue
    if (!/^[.']/.test(text)) {
      if (text.trim() === '' && line === lines[at]) writer.paragraph()
      else if (text !== '')
        writer.line(writer.text.html(/^\s/.test(text) && !writer.isCode ? text.trim() : text))
      continue
    }
    const request = requestOf(text)
    const end = blockEnd(request, lines, at, unended)
    if (end > at) {
      if (/^(?:TS|EQ)$/.test(request.name))
        writer.code(tableLines(lines.slice(at + 1, end), writer))
      at = end
    } else if (request.name === 'ds')
      writer.text.define(request.args[0] ?? '', request.rest.replace(/^\S+\s*"?/, ''))
    else if (request.name === 'so') {
      counts.add('included file', 1)
      writer.line(`See <a href="${escapeHtml(request.rest)}">${escapeHtml(request.rest)}</a>.`)
    } else if (
      !runCommon(request, writer) &&
      !run(request, writer) &&
      !noText.has(request.name) &&
      request.rest !== ''
    )
      writer.line(writer.text.html(request.args.join(' ')))
  }
  return `<title>${escapeHtml(title)}</title><main>${writer.end()}</main>`
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

/** The rows of a table as they are written, without how they look. */
function tableLines(lines: readonly string[], { text }: PageWriter): string[] {
  const tab = /^[^.]*\btab\s*\((.)\)/.exec(lines[0] ?? '')?.[1] ?? '\t'
  const format = lines.slice(0, 50).findIndex((line) => /\.\s*$/.test(line))
  return lines
    .slice(format + 1)
    .filter((line) => !/^\s*[_=]\s*$|^\.(?!\w*\s*$)?/.test(line))
    .map((line) =>
      text.plain(line.replaceAll('T{', '').replaceAll('T}', '').split(tab).join('  ')).trimEnd(),
    )
}

/** Conditions: `n`, the terminal, is true, and what is not known is false. */
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
    const isTrue = request ? /^(?:n|!\s*t)$/.test(condition.trim()) : !this.#last
    if (request !== 'if') this.#last = isTrue
    if (isTrue) return rest.replace(/^\\{\s*/, '')
    this.#skipped = Math.max(0, bracesOf(line))
    return undefined
  }
}

const bracesOf = (line: string): number =>
  (line.match(/\\{/g)?.length ?? 0) - (line.match(/\\}/g)?.length ?? 0)

/** Macros that man and mdoc share with plain roff. */
function runCommon({ name, args }: Request, writer: PageWriter): boolean {
  switch (name) {
    case 'br':
      if (!writer.isCode) writer.line('<br>')
      return true
    case 'sp':
    case 'Sp':
      writer.paragraph()
      return true
    case 'nf':
    case 'EX':
    case 'Vb':
      writer.beginCode()
      return true
    case 'fi':
    case 'EE':
    case 'Ve':
      writer.endCode()
      return true
    case 'ft':
      writer.text.setFont(args[0] ?? 'P')
      return true
    default:
      return false
  }
}
