// What other servers give a model of the same pages, as (html, url) → parts of Markdown, each with
// the words around it that theirs have.
import { createRequire } from 'node:module'
import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import TurndownService from 'turndown'

const { gfm } = createRequire(import.meta.url)('@joplin/turndown-plugin-gfm')
const turndown = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' })
turndown.use(gfm)
turndown.remove(['script', 'style', 'noscript'])

/** The main region and what is removed of it, as the AWS documentation server looks for them. */
const regions =
  'main, article, #main-content, .main-content, #content, .content, div[role="main"], #awsdocs-content'
const leftOut =
  'script, style, noscript, meta, link, footer, nav, aside, header, .prev-next, .feedback, #sidebar, .sidebar, .breadcrumbs'

function windows(text, size, wrap) {
  const parts = []
  for (let start = 0; start < text.length || start === 0; start += size) {
    const end = Math.min(text.length, start + size)
    parts.push({
      text: text.slice(start, end),
      reply: wrap(text.slice(start, end), end < text.length && end),
    })
  }
  return parts
}

export const readers = {
  /** The reference fetch server: Readability, then Markdown in windows of 5,000 characters. */
  fetch(html, url) {
    const { document } = parseHTML(html)
    const article = new Readability(document).parse()
    const text = article
      ? turndown.turndown(article.content)
      : '<error>Page failed to be simplified from HTML</error>'
    return windows(
      text,
      5_000,
      (part, next) =>
        `Contents of ${url}:\n${part}${next ? `\n\n<error>Content truncated. Call the fetch tool with a start_index of ${next} to get more content.</error>` : ''}`,
    )
  },
  /** The AWS documentation server: the main region as Markdown in windows of 10,000 characters. */
  region(html, url) {
    const { document } = parseHTML(html)
    const region = document.querySelector(regions) ?? document.body
    for (const element of region.querySelectorAll(leftOut)) element.remove()
    return windows(
      turndown.turndown(region.outerHTML),
      10_000,
      (part, next) =>
        `Documentation from ${url}:\n\n${part}${next ? `\n\n<e>Content truncated. Call the read_documentation tool with start_index=${next} to get more content.</e>` : ''}`,
    )
  },
}
