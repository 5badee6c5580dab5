import { z } from 'zod'
import { linesWithin } from '../../render/lines-within.ts'
import { fenced, linesOf, shortTitle } from '../../render/reply-text.ts'
import { defineTool, optionalText } from '../../tools/tool.ts'
import { orFailAs } from './failures.ts'
import { orNoSection } from './page-sections.ts'

/** The other server writes links into the text of a page; here they are listed on request. */
export const getLinks = defineTool({
  name: 'get_links',
  description: 'List the links of an AWS documentation page, or of one of its sections.',
  input: z.object({ url: z.string(), section_title: optionalText() }),
  async answer({ url, section_title }, docs, { signal }) {
    const answer = docs.related(url, section_title, { signal, linksOnly: true })
    const related = await orFailAs(`Failed to fetch ${url}`, answer).catch((error) =>
      orNoSection(error, [section_title ?? ''], url, docs),
    )
    const { seeAlso, linked, linkedOmitted, previous, next, title, origin } = related
    const pages = [...previous, ...next, ...seeAlso, ...linked]
    const { lines, omitted } = linesWithin(
      pages.map((page) => `- ${shortTitle(page.title)} ${page.url}`),
    )
    const more = omitted + linkedOmitted
    return {
      text: linesOf(
        `[links of ${shortTitle(title)}]`,
        fenced(lines.join('\n')),
        more > 0 &&
          `[${more} more${section_title ? '' : ': name a section_title to see its links'}]`,
      ),
      data: { url: related.url, title, origin, links: lines.length },
    }
  },
})
