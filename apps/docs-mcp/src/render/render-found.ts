import type { Found } from '@pith-mcp/docs'
import { callText, shortTitle } from './next-call.ts'
import { position, remainder } from './render-excerpt.ts'
import { withGap } from './render-section.ts'

export function renderFound(found: Found, includeCodeBlocks: boolean): string {
  const { url, title, query, matches, searched, sections } = found
  if (sections.length === 0)
    return [
      `No section of “${shortTitle(title)}” has a word of ${JSON.stringify(query.slice(0, 200))} (${searched} searched).`,
      `[next: ${callText('get_doc_toc', { url })}]`,
    ].join('\n')
  const shown = sections.map((section) => {
    const place = shortTitle([...section.path.slice(-2), section.title].join(' › '))
    const args = { url, section: section.id, include_code_blocks: includeCodeBlocks }
    return [
      `[${place} · ${position(section.excerpt)}]`,
      '',
      section.excerpt.markdown.trimEnd(),
      ...withGap(remainder(section.excerpt, 'get_doc_section', args)),
    ].join('\n')
  })
  const more = matches - sections.length
  return [
    ...shown,
    `[${sections.length} of ${matches} matching sections${more > 0 ? '; more with max_sections' : ''}]`,
  ].join('\n\n')
}
