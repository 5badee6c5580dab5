import type { Block } from '../page.ts'

/** The lines of a block with their prefixes. */
export function renderBlock({ markdown, lead, prefix = '' }: Block): string {
  if (prefix === '' && lead === undefined) return markdown
  return markdown
    .split('\n')
    .map((line, index) => (index === 0 ? (lead ?? prefix) : prefix) + line)
    .map((line) => (line.trim() === '' || line.trim() === '>' ? line.trimEnd() : line))
    .join('\n')
}

/** The separator of two blocks: a blank line, quoted inside a quotation. */
export function separatorBetween(block: Block, next: Block): string {
  const before = block.prefix ?? ''
  const after = next.prefix ?? ''
  let shared = 0
  while (shared < before.length && before[shared] === after[shared]) shared++
  return `\n${before.slice(0, shared).trimEnd()}\n`
}
