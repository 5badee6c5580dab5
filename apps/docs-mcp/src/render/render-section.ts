import type { ContentAnswer, SectionAnswer, SectionsAnswer } from '@pith-mcp/docs'
import type { CallArguments } from '@pith-mcp/server-kit/tools'
import { position, remainder, rowsNote } from './render-excerpt.ts'
import { fenced, linesOf, originText, shortTitle } from './reply-text.ts'

/** `parameter` is the name of the tool's parameter for a section; servers with another lack search_table. */
export function renderSection(
  answer: SectionAnswer,
  includeCodeBlocks: boolean,
  parameter = 'section',
): string {
  const { url, title, section } = answer
  const place = shortTitle(title === section.title ? title : `${title} › ${section.title}`)
  const args = { url, [parameter]: section.id, include_code_blocks: includeCodeBlocks }
  return linesOf(
    `[${place} · ${position(answer)} · ${originText(answer.origin)}]`,
    fenced(answer.markdown.trimEnd()),
    remainder(answer, 'get_doc_section', args),
    parameter === 'section' &&
      (answer.start > 0 || answer.nextPage !== undefined) &&
      rowsNote(answer.markdown, url, section.id),
  )
}

/** `onward` returns the call that continues a section; by default get_doc_section. */
export function renderSections(
  answer: SectionsAnswer,
  includeCodeBlocks: boolean,
  onward: (id: string, url: string) => [tool: string, args: CallArguments] = (section, url) => [
    'get_doc_section',
    { url, section, include_code_blocks: includeCodeBlocks },
  ],
): string {
  const { sections, missing } = answer
  const isSeveral = sections.some(({ url }) => url !== sections[0]?.url)
  const texts = sections.map(({ id, title, excerpt, url, pageTitle, origin }, at) => {
    const from = sections[at - 1]?.url !== url ? ` · ${originText(origin)}` : ''
    const place = isSeveral && pageTitle !== title ? `${pageTitle} › ${title}` : title
    const address = isSeveral ? ` · ${shortTitle(url)}` : ''
    return [
      `[${shortTitle(place)}${address} · ${position(excerpt)}${from}]`,
      fenced(excerpt.markdown.trimEnd()),
      remainder(excerpt, ...onward(id, url)),
    ]
  })
  const lines = missing.map(({ remedy }) => `[${remedy.replace(/[[\]]/g, ' ')}]`)
  return linesOf(texts, lines)
}

/** The text exactly as cut, so that the parts add up to the page. */
export function renderContent(answer: ContentAnswer, includeCodeBlocks: boolean): string {
  const args = { url: answer.url, include_code_blocks: includeCodeBlocks }
  return linesOf(
    `[${shortTitle(answer.title)} · ${position(answer)} · ${originText(answer.origin)}]`,
    fenced(answer.markdown),
    remainder(answer, 'get_doc_content', args),
  )
}
