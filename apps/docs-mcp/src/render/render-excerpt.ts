import type { Excerpt } from '@pith-mcp/docs'
import { type CallArguments, callText, count } from './next-call.ts'

/** Where an excerpt stands in the whole, in a few words. */
export function position(excerpt: Excerpt): string {
  const { start, end, total, tokens } = excerpt
  const cost = `~${count(tokens)} tokens`
  if (start === 0 && end === total) return `${count(total)} characters, ${cost}`
  const mended = excerpt.pageCorrected ? ', the page token was miscopied and mended' : ''
  return `characters ${count(start)}–${count(end)} of ${count(total)}, ${cost}${mended}`
}

/** What was left out, and the calls that get it. */
export function remainder(excerpt: Excerpt, tool: string, args: CallArguments): string[] {
  const lines: string[] = []
  if (excerpt.nextPage !== undefined)
    lines.push(`[next: ${callText(tool, { ...args, page: excerpt.nextPage })}]`)
  if (excerpt.codeBlocksOmitted > 0) {
    const blocks =
      excerpt.codeBlocksOmitted === 1 ? '1 code block' : `${excerpt.codeBlocksOmitted} code blocks`
    lines.push(`[${blocks} left out: include_code_blocks=true]`)
  }
  return lines
}
