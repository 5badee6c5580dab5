import { Parser } from 'htmlparser2'
import type { PublishedPage } from './published-index-reader.ts'

/** Join the entries of each page, in order. The title of an entry without a fragment is the page's. */
export function indexPages(entries: Iterable<PublishedPage>): PublishedPage[] {
  const pages = new Map<
    string,
    { titled: boolean; title: string; texts: string[]; rest: PublishedPage }
  >()
  for (const entry of entries) {
    const { url, title = '', text = '' } = entry
    const [page = '', fragment] = url.split('#')
    const known = pages.get(page) ?? {
      titled: false,
      title: '',
      texts: [],
      rest: { ...entry, url: page },
    }
    pages.set(page, known)
    if (title !== '' && !known.titled && (fragment === undefined || known.title === '')) {
      known.title = title
      known.titled = fragment === undefined
    }
    known.texts.push(title, text)
  }
  return [...pages.values()].map(({ title, texts, rest }) => ({
    ...rest,
    title,
    text: texts.join('\n'),
  }))
}

export function plainText(html: string): string {
  if (!/[<&]/.test(html)) return html
  let text = ''
  const parser = new Parser(
    {
      ontext(part) {
        text += part
      },
      onclosetag(name) {
        if (/^(?:p|li|pre|h\d|tr|div)$/.test(name)) text += '\n'
      },
    },
    { decodeEntities: true },
  )
  parser.end(html)
  return text.trim()
}
