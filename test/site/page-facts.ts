import { Parser } from 'htmlparser2'

export interface PageFacts {
  title: string
  headings: { level: number; id: string }[]
  ids: string[]
  /** Where links lead, those of the head included that are followed by nobody's browser. */
  links: string[]
  /** What a browser loads with the page. */
  resources: string[]
  /** Of `meta` by name, and of `link` by relation. */
  metas: Record<string, string>
  rels: Record<string, string>
  /** Scripts and styles in the page itself. */
  inline: number
}

/** What stands in the HTML of a page. */
export function pageFacts(html: string): PageFacts {
  const facts: PageFacts = {
    title: '',
    headings: [],
    ids: [],
    links: [],
    resources: [],
    metas: {},
    rels: {},
    inline: 0,
  }
  let isTitle = false
  const parser = new Parser({
    onopentag(name, { id, href, src, srcset, rel, content, style, ...others }) {
      isTitle = name === 'title'
      const level = Number(/^h([1-6])$/.exec(name)?.[1] ?? 0)
      if (level > 0) facts.headings.push({ level, id: id ?? '' })
      if (id) facts.ids.push(id)
      if (name === 'a' && href) facts.links.push(href)
      if (name === 'link' && rel && href) {
        facts.rels[rel] = href
        facts[/^(?:stylesheet|icon)$/.test(rel) ? 'resources' : 'links'].push(href)
      }
      if (name === 'meta')
        facts.metas[others['name'] ?? others['http-equiv'] ?? 'charset'] = content ?? ''
      facts.resources.push(
        ...[src, srcset, others['data-index']].filter((url) => url !== undefined),
      )
      const isInline = name === 'style' || (name === 'script' && !src)
      const isHandled = Object.keys(others).some((attribute) => attribute.startsWith('on'))
      if (isInline || style || isHandled) facts.inline++
    },
    ontext(text) {
      if (isTitle) facts.title += text
    },
    onclosetag() {
      isTitle = false
    },
  })
  parser.end(html)
  return facts
}
