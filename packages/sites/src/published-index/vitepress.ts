import type { Entry, PublishedIndexReader } from './published-index-reader.ts'
import { stringAt } from './script-text.ts'

/** A MiniSearch index as JSON, in a separate script for each language. */
interface MiniSearchIndex {
  documentIds: Record<string, string>
  storedFields: Record<string, { title?: string }>
  index: [term: string, fields: Record<string, Record<string, number>>][]
}

/** At most this many scripts between a page and its index. */
const maxDepth = 4
const scriptNames =
  /["'`]((?:\.{0,2}\/)?[^"'`\s]{0,300}(?:@localSearchIndex|VPLocalSearchBox|chunks\/theme)[^"'`\s]{0,300}?\.js)["'`]/g

export const vitepress: PublishedIndexReader = {
  generator: 'VitePress',
  mark: /content="VitePress|class="VPContent|assets\/(?:chunks\/)?app\.[\w-]+\.js/,
  async read({ url, html, text }) {
    const [, path = '', app = ''] =
      /<script type="module"[^>]{0,500}\ssrc="([^"]{0,500}?)(assets\/(?:chunks\/)?app\.[\w-]+\.js)"/.exec(
        html,
      ) ?? []
    const base = new URL(path || './', url).href
    const preloaded = html.matchAll(
      /<link[^>]{0,500}rel="modulepreload"[^>]{0,500}href="([^"]{1,500}\.js)"/g,
    )
    let level = [app && path + app, ...[...preloaded].map(([, href = '']) => href)]
      .filter(Boolean)
      .map((href) => new URL(href, url).href)
    const visitedUrls = new Set<string>()
    const scripts: string[] = []
    for (let depth = 0; depth < maxDepth && scripts.length === 0; depth++) {
      const next: string[] = []
      for (const place of level.filter((href) => !visitedUrls.has(href))) {
        visitedUrls.add(place)
        const script = (await text(place)) ?? ''
        if (decodeURIComponent(place).includes('@localSearchIndex')) scripts.push(script)
        else
          for (const [, name = ''] of script.matchAll(scriptNames))
            next.push(new URL(name, name.startsWith('assets/') ? base : place).href)
      }
      level = next
    }
    return scripts.flatMap((script) => {
      const start =
        /(?:(?:const|let|var)\s+[\w$]+\s*=|export default|JSON\.parse\()\s*(?=['"`])/.exec(script)
      const json = start && stringAt(script, start.index + start[0].length)
      return json ? entriesOf(JSON.parse(json) as MiniSearchIndex, base) : []
    })
  },
}

/** The titles and words of each section; the words are without their order. */
function entriesOf(index: MiniSearchIndex, base: string): Entry[] {
  const words = new Map<string, string[]>()
  for (const [term, fields] of index.index)
    for (const document of Object.values(fields).flatMap(Object.keys)) {
      const terms = words.get(document)
      if (terms) terms.push(term)
      else words.set(document, [term])
    }
  return Object.entries(index.documentIds).map(([number, id]) => [
    new URL(id, base).href,
    index.storedFields[number]?.title ?? '',
    words.get(number)?.join(' '),
  ])
}
