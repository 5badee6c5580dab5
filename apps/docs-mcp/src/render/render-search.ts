import type { SearchAnswer, SearchHit } from '@pith-mcp/docs'
import { linesWithin } from './lines-within.ts'
import { count, shortTitle } from './next-call.ts'

export function renderSearch(answer: SearchAnswer): string {
  const scope = [
    `${count(answer.searchedSections)} sections of ${count(answer.searchedPages)} pages searched`,
    ...(answer.failedPages > 0 ? [`${count(answer.failedPages)} pages could not be read`] : []),
    ...(answer.morePages
      ? ['the sources have more pages: start docs-mcp with a larger --max-pages']
      : []),
  ].join('; ')
  if (answer.hits.length === 0)
    return `Nothing has a word of ${JSON.stringify(answer.query.slice(0, 200))} (${scope}). Try the words the documentation would use, one or two of them.`
  const { lines, left } = linesWithin(answer.hits.map(hitText))
  const shown = answer.hits.length - left
  return [...lines, `[${shown} of ${count(answer.matchingPages)} matching pages; ${scope}]`].join(
    '\n\n',
  )
}

function hitText(hit: SearchHit): string {
  const place = [hit.title, ...hit.path.filter((title) => title !== hit.title), hit.section]
  const titles = place.filter((title, index) => title !== '' && title !== place[index - 1])
  const headings = hit.headings?.map(
    ({ title, level }) => `${'  '.repeat(level - 1)}- ${shortTitle(title)}`,
  )
  return [
    `**${shortTitle(titles.join(' › '))}**`,
    hit.url,
    hit.excerpt,
    ...(headings ?? []),
    ...(hit.headingsOmitted ? [`(${hit.headingsOmitted} more headings: get_doc_toc)`] : []),
  ].join('\n')
}
