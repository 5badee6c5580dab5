import type { Origin, SectionAnswer, SectionsAnswer } from '@pith-mcp/docs'
import { fenced } from './fence.ts'
import { shortTitle } from './next-call.ts'
import { originText } from './origin.ts'
import { position, remainder } from './render-excerpt.ts'

export function renderSection(answer: SectionAnswer, includeCodeBlocks: boolean): string {
  const { url, title, section } = answer
  const place = shortTitle(title === section.title ? title : `${title} › ${section.title}`)
  const args = { url, section: section.id, include_code_blocks: includeCodeBlocks }
  return [
    `[${place} · ${position(answer)} · ${originText(answer.origin)}]`,
    fenced(answer.markdown.trimEnd()),
    ...remainder(answer, 'get_doc_section', args),
  ].join('\n')
}

export function renderSections(
  answer: SectionsAnswer & { origin: Origin },
  includeCodeBlocks: boolean,
): string {
  const { url, sections, missing, origin } = answer
  const shown = sections.map(({ id, title, excerpt }, at) => {
    const args = { url, section: id, include_code_blocks: includeCodeBlocks }
    const from = at === 0 ? ` · ${originText(origin)}` : ''
    return [
      `[${shortTitle(title)} · ${position(excerpt)}${from}]`,
      fenced(excerpt.markdown.trimEnd()),
      ...remainder(excerpt, 'get_doc_section', args),
    ].join('\n')
  })
  const lines = missing.map(({ remedy }) => `[${remedy.replace(/[[\]]/g, ' ')}]`)
  return [...shown, ...lines].join('\n')
}
