import { escapeHtml } from '../parts/escape-html.ts'
import type { PageWriter } from './page-writer.ts'
import type { Request } from './request.ts'

/** Perform a macro of man; false for any other name. */
export function runMan({ name, args, rest }: Request, writer: PageWriter): boolean {
  const { text } = writer
  const title = args.join(' ')
  switch (name) {
    case 'TH':
      return true
    case 'SH':
    case 'SS':
      writer.heading(name === 'SH' ? 2 : 3, text.plain(title))
      return true
    case 'PP':
    case 'P':
    case 'LP':
    case 'HP':
      writer.closeLists()
      text.reset()
      return true
    case 'TP':
      writer.listItem('dl')
      text.reset()
      return true
    case 'TQ':
      writer.awaitTerm()
      return true
    case 'IP':
      runIp(args[0], writer)
      return true
    case 'RS':
      writer.open('div')
      return true
    case 'RE':
      writer.closeLists()
      writer.close()
      return true
    case 'UR':
    case 'MT':
      writer.line(`<a href="${escapeHtml(rest)}">`)
      return true
    case 'UE':
    case 'ME':
      writer.line(`</a>${text.html(title)}`)
      return true
    default: {
      if (!/^(?:SM|SB|B|I|[BIR]{2})$/.test(name)) return false
      const font = name === 'SM' ? ['R'] : name === 'SB' ? ['B'] : Array.from(name)
      const words = font.length === 1 ? [title] : args
      writer.line(
        words.map((word, at) => text.inFont(font[at % font.length] ?? 'R', word)).join(''),
      )
      return true
    }
  }
}

/** A paragraph with a sign or a term before it. */
function runIp(tag: string | undefined, writer: PageWriter): void {
  writer.text.reset()
  const term = writer.text.html(tag ?? '').trim()
  const sign = term.replace(/<[^>]*>/g, '')
  if (sign === '') writer.paragraph()
  else if (/^[•·*o□○\-–—+]$/.test(sign)) writer.listItem('ul')
  else if (/^[([]?\d{1,3}[.)\]]$/.test(sign)) writer.listItem('ol')
  else {
    writer.listItem('dl')
    writer.line(term)
  }
}
