import type { ContentAnswer } from '@pith-mcp/docs'
import { fenced } from './fence.ts'
import { originText } from './origin.ts'
import { position, remainder } from './render-excerpt.ts'
import { shortTitle } from './short-title.ts'

/** The text exactly as cut, so that the parts add up to the page. */
export function renderContent(answer: ContentAnswer, includeCodeBlocks: boolean): string {
  const args = { url: answer.url, include_code_blocks: includeCodeBlocks }
  return [
    `[${shortTitle(answer.title)} · ${position(answer)} · ${originText(answer.origin)}]`,
    fenced(answer.markdown),
    ...remainder(answer, 'get_doc_content', args),
  ].join('\n')
}
