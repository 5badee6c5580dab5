import type { Excerpt } from '@pith-mcp/docs'
import { amount, type CallArguments, callText, count } from '@pith-mcp/server-kit/tools'

/** Position of an excerpt in the whole text. */
export function position(excerpt: Excerpt): string {
  const { markdown, start, end, total, tokens, isPassages } = excerpt
  const cost = `~${count(tokens)} tokens`
  if (isPassages) return `${count(markdown.length)} of ${count(total)} characters, ${cost}`
  if (start === 0 && end === total) return `${count(total)} characters, ${cost}`
  const corrected = excerpt.pageCorrected
    ? ', one wrong character in the page token was corrected'
    : ''
  return `characters ${count(start)}–${count(end)} of ${count(total)}, ${cost}${corrected}`
}

/** Notes on omitted text, with the calls that return it. */
export const remainder = (
  { nextPage: page, codeBlocksOmitted: omitted, isPassages }: Excerpt,
  tool: string,
  args: CallArguments,
): readonly (string | false)[] => [
  (page !== undefined || isPassages === true) && `[next: ${callText(tool, { ...args, page })}]`,
  omitted > 0 && `[${amount(omitted, 'code block')} left out: include_code_blocks=true]`,
]

/** From so many rows on, a part of a text is a long table. */
const manyRows = 20

/** The call that finds rows, below a part of a section with a long table. */
export function rowsNote(markdown: string, url: string, section: string): string | false {
  if ((markdown.match(/^\|/gm)?.length ?? 0) < manyRows) return false
  return `[rows of its tables: ${callText('search_table', { url, section, query: '…' })}]`
}
