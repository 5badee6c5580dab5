import { cleanMarkdown } from './clean-markdown.ts'
import { assertLength, type CleanOptions, cleanVisible } from './clean-visible.ts'
import type { Page } from './page.ts'
import { pageData } from './shell/page-data.ts'
import { openPlaces, shellTree } from './shell/shell-tree.ts'
import { isLabel, maxVisible, mayHideText, textOfPage } from './shell/text-of-page.ts'

/**
 * Clean an HTML documentation page: titled sections with fragments, each of Markdown blocks. If it
 * shows almost no text, the text is read where it stands for readers without scripts, or in the data
 * of the page; `health` tells where.
 *
 * @throws {CleanError} `too_large` if the input is longer than `maxLength`; `bad_selector` for an
 * invalid `content` or `remove`; `timed_out` past `maxTime`.
 */
export function cleanHtml(html: string, options: CleanOptions = {}): Page {
  assertLength(html, options.maxLength)
  const visiblePage = cleanVisible(html, options)
  // A page of frames has no body.
  const page = visiblePage.health.region === '' ? { ...visiblePage, sections: [] } : visiblePage
  const visible = textOfPage(page, maxVisible * 2)
  return mayHideText(html, visible) ? cleanShell(html, options, page, visible) : page
}

function cleanShell(html: string, options: CleanOptions, page: Page, visible: string): Page {
  const tree = shellTree(html, options)
  const { pieces, unread } = pageData(tree)
  const places = openPlaces(tree, isLabel(visible))
  const opened = places.length > 0 ? cleanVisible(html, options, tree) : undefined
  if (opened && isLonger(opened))
    return withHealth(opened, { textFrom: places.join(', '), suspectedShell: false })
  for (const { place, format, text } of pieces) {
    const read = format === 'html' ? cleanVisible(text, options) : cleanMarkdown(text, options)
    if (!isLonger(read)) continue
    const { language } = page
    return withHealth(
      { ...read, title: read.title || page.title, ...(language && { language }) },
      { textFrom: place },
    )
  }
  const suspectedShell = page.health.suspectedShell || /<script\b/i.test(html)
  return withHealth(page, { suspectedShell, ...(unread.length > 0 && { unread }) })

  function isLonger(candidate: Page): boolean {
    return textOfPage(candidate).length > visible.length
  }
}

const withHealth = (page: Page, facts: Partial<Page['health']>): Page => ({
  ...page,
  health: { ...page.health, ...facts },
})
