import { cleanHtml } from '@pith-mcp/cleaner'
import type { Format, PageLink } from '../format.ts'
import { Counts } from '../parts/counts.ts'
import { packageFolder, packageMissing } from '../parts/optional-package.ts'

const maxLinks = 5_000
const converter = '@asciidoctor/core'

/** AsciiDoc, converted by Asciidoctor, which is loaded for the first such page. */
export const asciidoc: Format = {
  name: 'AsciiDoc',
  types: /^text\/(?:x-)?asciidoc$/,
  names: /\.(?:adoc|asciidoc)$/i,
  maxInlineLength: 2 ** 15,
  isMissing: () => packageFolder(converter) === undefined,
  async read(text, options) {
    if (asciidoc.isMissing?.()) throw packageMissing(options.url, 'AsciiDoc', converter)
    const counts = new Counts()
    const html = await toHtml(text, counts)
    return counts.onPage(cleanHtml(`<main>${html}</main>`, options))
  },
  links,
}

/** In its safest mode it reads no files, and a value of an attribute has at most 4 KB. */
async function toHtml(text: string, counts: Counts): Promise<string> {
  const { convert, LoggerManager, NullLogger } = await import('@asciidoctor/core')
  LoggerManager.logger = new NullLogger()
  const html = await convert(text, {
    safe: 'secure',
    standalone: false,
    attributes: { showtitle: true, 'toc!': '', 'sectanchors!': '' },
  })
  return String(html).replace(
    /<a href="([^"<>]*)" class="bare include">[^<>]*<\/a>/g,
    (_, path) => {
      counts.add('included file', 1)
      return `[Not included: ${path}]`
    },
  )
}

/** `https://x.example[Title]`, `link:path[Title]`, `xref:page.adoc[Title]`. */
const link = /(?:\b(?:link|xref):|(?=\bhttps?:\/\/))([^\s[\]<>]{1,2000})\[([^\]\n]{0,300})\]/g

function links(text: string, base: string): PageLink[] {
  const targets = new Map<string, PageLink>()
  for (const [, target = '', title = ''] of text.matchAll(link)) {
    if (targets.size >= maxLinks || !URL.canParse(target, base)) continue
    const { href } = new URL(target, base)
    if (/^https?:/.test(href)) targets.set(href, { rel: 'other', url: href, title: title.trim() })
  }
  return [...targets.values()]
}
