import { type Page, toMarkdown } from '@pith-mcp/cleaner'
import { isNamedText } from '#formats/page-format'
import type { PageSource } from '../protocol/origin.ts'
import { HostForm } from './host-forms.ts'
import { isVariantOf } from './is-variant-of.ts'
import type { WebPages } from './web-pages.ts'

/** A page of HTML, and each Markdown of it that an agent may be given, also if it lacks text. */
export interface PageForms {
  page: Page
  markdown: { page: Page; finalUrl: string }[]
}

/** `isAnswering`: the server sends Markdown for any address. Undefined for a page of Markdown. */
export async function pageForms(
  web: WebPages,
  url: string,
  isAnswering: boolean,
): Promise<PageForms | undefined> {
  if (isNamedText(new URL(url).pathname)) return undefined
  const { page, outgoing = [] } = await web.readHtml(url)
  const at = (target: string, source: PageSource) => web.markdownAt(target, url, source, page.url)
  const link = outgoing.find(({ rel }) => rel === 'markdown')
  const near = new HostForm({}, () => {}).candidates(page.url)
  const [sent, linked, ...variants] = await Promise.all([
    at(page.url, 'negotiated'),
    link && at(link.url, 'alternate'),
    ...near.map((target) => at(target, 'variant')),
  ])
  const text = toMarkdown(page)
  const own = variants.find((form) => form && (!isAnswering || isVariantOf(form.page, text)))
  return { page, markdown: [sent, linked, own].filter((form) => form !== undefined) }
}
