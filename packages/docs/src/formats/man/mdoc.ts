import type { PageWriter } from './page-writer.ts'
import type { Request } from './request.ts'

/** Fonts of macros whose arguments are text. */
const fontOf: Readonly<Record<string, string>> = {
  ...{ Ar: 'I', Em: 'I', Va: 'I', Vt: 'I', Fa: 'I', Ft: 'I', Pa: 'I', Ad: 'I' },
  ...{ Fl: 'B', Cm: 'B', Ic: 'B', Nm: 'B', Sy: 'B', Fn: 'B', Cd: 'B', In: 'B' },
  ...{ Li: 'C', Ql: 'C', Ev: 'C', Dv: 'C', Er: 'C' },
  ...{
    An: '',
    Tn: '',
    No: '',
    Xr: '',
    Lk: '',
    Mt: '',
    Sx: '',
    St: '',
    Ms: '',
    Lb: '',
    Rv: '',
    Ex: '',
  },
  ...{
    Ux: '',
    Bx: '',
    Fx: '',
    Nx: '',
    Ox: '',
    At: '',
    Dx: '',
    Nd: '',
    Xo: '',
    Xc: '',
  },
}
const systems: Readonly<Record<string, string>> = {
  ...{
    Ux: 'UNIX',
    Bx: 'BSD',
    Fx: 'FreeBSD',
    Nx: 'NetBSD',
    Ox: 'OpenBSD',
    Dx: 'DragonFly',
    At: 'AT&T UNIX',
  },
}
/** Signs around the rest of a line: by one macro, or by two that begin and end it. */
const quotes: Readonly<Record<string, readonly [string, string]>> = {
  ...{
    Op: ['[', ']'],
    Oo: ['[', ']'],
    Bq: ['[', ']'],
    Bo: ['[', ']'],
    Pq: ['(', ')'],
    Po: ['(', ')'],
  },
  ...{
    Aq: ['<', '>'],
    Ao: ['<', '>'],
    Brq: ['{', '}'],
    Bro: ['{', '}'],
    Dq: ['“', '”'],
    Do: ['“', '”'],
  },
  ...{ Sq: ['‘', '’'], So: ['‘', '’'], Qq: ['"', '"'], Qo: ['"', '"'] },
}
const closers: Readonly<Record<string, string>> = {
  ...{ Oc: ']', Bc: ']', Pc: ')', Ac: '>', Brc: '}', Dc: '”', Sc: '’', Qc: '"' },
}

const lists: Readonly<Record<string, 'ul' | 'ol' | 'dl'>> = {
  ...{ '-bullet': 'ul', '-dash': 'ul', '-hyphen': 'ul', '-item': 'ul', '-enum': 'ol' },
}

/** State of a page that the macros have in common. */
interface State {
  name: string
  isSynopsis: boolean
  openLists: ('ul' | 'ol' | 'dl')[]
  /** Of the function that is open. */
  parameters?: string[] | undefined
}
const states = new WeakMap<PageWriter, State>()

/** Perform a macro of mdoc; false for any other name. */
export function runMdoc({ name, args }: Request, writer: PageWriter): boolean {
  const state = states.get(writer) ?? { name: '', isSynopsis: false, openLists: [] }
  states.set(writer, state)
  const inline = (words: readonly string[]) => inlineHtml(words, writer, state)
  switch (name) {
    case 'Dd':
    case 'Dt':
    case 'Os':
      return true
    case 'Sh':
    case 'Ss':
      state.openLists = []
      state.isSynopsis = /^synopsis$/i.test(args[0] ?? '')
      writer.heading(name === 'Sh' ? 2 : 3, writer.text.plain(args.join(' ')))
      return true
    case 'Pp':
      writer.paragraph()
      return true
    case 'Bl': {
      const kind = lists[args.find((word) => word in lists) ?? ''] ?? 'dl'
      state.openLists.push(kind)
      writer.open(kind)
      return true
    }
    case 'It':
      return runItem(args, state.openLists.at(-1), writer, inline)
    case 'El':
      if (state.openLists.pop()) writer.close()
      return true
    case 'Bd':
      if (/^-(?:literal|unfilled)$/.test(args[0] ?? '')) writer.beginCode()
      else writer.paragraph()
      return true
    case 'Ed':
      writer.endCode()
      writer.paragraph()
      return true
    case 'D1':
    case 'Dl':
      writer.code([
        inline(args)
          .replace(/<[^>]*>/g, '')
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll('&quot;', '"')
          .replaceAll('&amp;', '&'),
      ])
      return true
    case 'Nd':
      writer.line(`– ${inline(args)}`)
      return true
    case 'Nm':
      if (state.name === '') state.name = args[0] ?? ''
      break
    case 'Rs':
    case 'Re':
      writer.paragraph()
      return true
    case 'Fo':
      writer.line(`<b>${writer.text.plain(args.join(' '))}</b>(`)
      state.parameters = []
      return true
    case 'Fc':
      writer.line(`${state.parameters?.join(', ') ?? ''})`)
      state.parameters = undefined
      return true
    default:
  }
  if (name === 'Fa' && state.parameters) {
    state.parameters.push(inline([name, ...args]))
    return true
  }
  // In a synopsis, these begin a line.
  if (state.isSynopsis && /^(?:Nm|Ft|In|Vt|Fd)$/.test(name)) writer.paragraph()
  const isReference = /^%[A-Z]$/.test(name)
  if (!isReference && !isMacro(name)) return false
  writer.line(isReference ? `${inline(args)},` : inline([name, ...args]))
  return true
}

function runItem(
  args: readonly string[],
  kind: string | undefined,
  writer: PageWriter,
  inline: (words: readonly string[]) => string,
): boolean {
  if (kind === undefined) return false
  if (kind === 'dl') writer.term(inline(args))
  else writer.listItem(kind as 'ul' | 'ol')
  return true
}

const isMacro = (word: string): boolean =>
  Object.hasOwn(fontOf, word) ||
  Object.hasOwn(quotes, word) ||
  Object.hasOwn(closers, word) ||
  /^(?:Ns|Pf|Ap)$/.test(word)

const punctuation = /^[.,:;)\]?!|]+$/

/** The words of a line, among which there are macros. */
function inlineHtml(words: readonly string[], writer: PageWriter, state: State): string {
  const parts: string[] = []
  const pending: string[] = []
  let macro = ''
  /** Before the next option: `Fl Fl help` is `--help`. */
  let dashes = ''
  let isJoined = true
  const add = (html: string, joinsNext = false) => {
    parts.push(isJoined ? html : ` ${html}`)
    isJoined = joinsNext
  }
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    const next = words[at + 1]
    const isLast = next === undefined || isMacro(next) || punctuation.test(next)
    if (Object.hasOwn(quotes, word)) {
      const [before = '', after = ''] = quotes[word] ?? []
      add(writer.text.inFont('R', before), true)
      if (word.endsWith('q') || word === 'Op') pending.push(after)
      macro = ''
    } else if (Object.hasOwn(closers, word)) {
      isJoined = true
      add(writer.text.inFont('R', closers[word] ?? ''))
      macro = ''
    } else if (word === 'Ns' || word === 'Ap') {
      isJoined = true
      if (word === 'Ap') add("'", true)
      macro = ''
    } else if (word === 'Pf') {
      add(writer.text.html(next ?? ''), true)
      at++
    } else if (isMacro(word)) {
      macro = word
      if (word in systems) add(systems[word] ?? '')
      else if (word === 'Nm' && isLast) add(writer.text.inFont('B', state.name))
      else if (word === 'Fl' && next === 'Fl') dashes += '\\-'
      else if (word === 'Fl' && isLast) add('<b>-</b>', next !== undefined && isMacro(next))
      else if (word === 'Ar' && isLast) add('<i>file ...</i>')
      else if (word === 'Xr' && next !== undefined) {
        add(writer.text.html(`${next}${words[at + 2] ? `(${words[at + 2]})` : ''}`))
        at += 2
      } else if (word === 'Fn' && next !== undefined) {
        const rest = words.slice(at + 2)
        const end = rest.findIndex((each) => punctuation.test(each))
        if (end >= 0) rest.length = end
        add(
          `<b>${writer.text.plain(next)}</b>(${rest.map((each) => writer.text.inFont('I', each)).join(', ')})`,
        )
        at += 1 + rest.length
      }
    } else if (punctuation.test(word)) {
      if (at === words.length - 1)
        while (pending.length > 0) parts.push(writer.text.inFont('R', pending.pop() ?? ''))
      isJoined = true
      add(writer.text.html(word))
    } else {
      const dash = macro === 'Fl' ? `\\-${dashes}` : ''
      dashes = ''
      add(writer.text.inFont(fontOf[macro] ?? '', dash + word), /^[([]$/.test(word))
    }
  }
  while (pending.length > 0) parts.push(writer.text.inFont('R', pending.pop() ?? ''))
  return parts.join('')
}
