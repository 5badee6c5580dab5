import type { Element } from 'hast'
import type { Block } from '../page.ts'
import { type Code, readCode } from '../read/read-code.ts'
import type { State } from './state.ts'

export function writeCodeBlock(element: Element, state: State): void {
  const block = codeBlock(element, state.codeLanguage)
  if (block) state.block(element.data?.isText ? { kind: 'text', markdown: block.markdown } : block)
}

/**
 * A fenced block with the text of an element; undefined if it is empty. `language` is inherited
 * from ancestors.
 */
export function codeBlock(element: Element, language: string | undefined): Block | undefined {
  const code = readCode(element, language)
  return code && fenced(code)
}

export function fenced({ value, language }: Code): Block {
  const fence = '`'.repeat(Math.max(2, maxBackticks(value)) + 1)
  return {
    kind: 'code',
    markdown: `${fence}${language ?? ''}\n${value}\n${fence}`,
    lines: value.split('\n').length,
    ...(language && { language }),
  }
}

/** Quote text as inline code, with a fence longer than any backticks in it. */
export function codeSpan(text: string): string {
  const longest = maxBackticks(text)
  const fence = '`'.repeat(longest + 1)
  const pad = longest > 0 && (text.startsWith('`') || text.endsWith('`')) ? ' ' : ''
  return fence + pad + text + pad + fence
}

/** Length of the longest run of backticks; a fence around the text must be longer. */
function maxBackticks(text: string): number {
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return longest
}
