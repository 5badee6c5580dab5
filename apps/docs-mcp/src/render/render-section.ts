import type { SectionAnswer } from '@pith-mcp/docs'
import { shortTitle } from './next-call.ts'
import { position, remainder } from './render-excerpt.ts'

export function renderSection(answer: SectionAnswer, includeCodeBlocks: boolean): string {
  const { url, title, section } = answer
  const place = shortTitle(title === section.title ? title : `${title} › ${section.title}`)
  const args = { url, section: section.id, include_code_blocks: includeCodeBlocks }
  return [
    `[${place} · ${position(answer)}]`,
    '',
    answer.markdown.trimEnd(),
    ...withGap(remainder(answer, 'get_doc_section', args)),
  ].join('\n')
}

export const withGap = (lines: readonly string[]): string[] =>
  lines.length > 0 ? ['', ...lines] : []
