// The cleaners under test, each as (html, url) → Markdown, with the options its own readers of
// documentation would use.
import { createRequire } from 'node:module'
import rust from '@kreuzberg/html-to-markdown-node'
import { htmlToMarkdown, withMinimalPreset } from '@mdream/js'
import { Readability } from '@mozilla/readability'
import { Defuddle } from 'defuddle/node'
import { parseHTML } from 'linkedom'
import { NodeHtmlMarkdown } from 'node-html-markdown'
import rehypeParse from 'rehype-parse'
import rehypeRemark from 'rehype-remark'
import remarkGfm from 'remark-gfm'
import remarkStringify from 'remark-stringify'
import TurndownService from 'turndown'
import { unified } from 'unified'
import { cleanHtml, rehypeParse5, toMarkdown } from '../../packages/cleaner/dist/index.js'
import { pithClean, pithRemark } from '../../packages/cleaner/dist/remark/index.js'

const { gfm } = createRequire(import.meta.url)('@joplin/turndown-plugin-gfm')

const turndown = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' })
turndown.use(gfm)
turndown.remove(['script', 'style'])

const pipeline = unified()
  .use(rehypeParse)
  .use(rehypeRemark)
  .use(remarkGfm)
  .use(remarkStringify)
  .freeze()

/** Our plugins between stock parts, behind each parser. */
const stockBehind = (parser) =>
  unified().use(parser).use(pithClean).use(pithRemark).use(remarkStringify).freeze()
const behindOwn = stockBehind(rehypeParse5)
const behindStock = stockBehind(rehypeParse)

/** Its native part asks for Node 22; npm leaves it out of an older one unless it is named. */
const mdream = await import('mdream').catch(() => undefined)

const nhm = new NodeHtmlMarkdown()

export const peers = {
  '@pith-mcp/cleaner': (html, url) => toMarkdown(cleanHtml(html, { url })),
  'turndown + gfm': (html) => turndown.turndown(html),
  'node-html-markdown': (html) => nhm.translate(html),
  'mdream (JS), minimal': (html) => htmlToMarkdown(html, withMinimalPreset({})),
  ...(mdream && {
    'mdream (Rust), minimal': (html) => mdream.htmlToMarkdown(html, { minimal: true }),
  }),
  'html-to-markdown (Rust)': (html) => rust.convert(html).content ?? '',
  defuddle: async (html, url) => {
    const { document } = parseHTML(html)
    const { content } = await Defuddle(document, url, { markdown: true })
    return content ?? ''
  },
  'Readability + turndown': (html) => {
    const { document } = parseHTML(html)
    const article = new Readability(document).parse()
    return article ? turndown.turndown(article.content) : ''
  },
  '/remark, rehypeParse5': (html) => String(behindOwn.processSync(html)),
  '/remark, rehype-parse': (html) => String(behindStock.processSync(html)),
  'rehype-remark': (html) => String(pipeline.processSync(html)),
}

/** Quadratic on some pages; it is left out where a page is longer than this. */
export const longestFor = { 'node-html-markdown': 150_000 }
