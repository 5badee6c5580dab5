import type { Block, Page, Section } from '@pith-mcp/cleaner'
import { maxNameLength, withoutMarkup } from './section-names.ts'

/** Terms of a definition, one per line, up to the colon before its text. */
const term = /(?:\*\*(?:\\.|(?!\*\*).)+\*\*|`+[^`]*`+|\\.|(?!: |:$).)+/y

/**
 * Terms that are defined inside a section, such as the options in a list without anchors. Each is a
 * section with the text up to the next term, and no part of `page.sections`.
 */
export function definedTerms(page: Page): Section[] {
  const used = new Map<string, number>()
  return page.sections.flatMap(({ id, kind, parent, title: heading, level, blocks }) =>
    blocks.flatMap((block, at) => {
      const title = block.kind === 'definition' ? termsOf(block.markdown).join(', ') : ''
      if (title === '' || (kind === 'entry' && heading.includes(title))) return []
      const owner = kind === 'continuation' && parent !== undefined ? parent : id
      const name = `${owner}~${title.slice(0, 80)}`
      const uses = (used.get(name) ?? 0) + 1
      used.set(name, uses)
      return {
        id: uses > 1 ? `${name}~${uses}` : name,
        title,
        level: level + 1,
        parent: owner,
        blocks: blocks.slice(at, endOf(blocks, at)),
      }
    }),
  )
}

const indentOf = ({ prefix = '' }: Block): number => prefix.length

/** The next term of the same list, or the next text outside of the item. */
function endOf(blocks: readonly Block[], at: number): number {
  const indent = indentOf(blocks[at] as Block)
  const end = blocks.findIndex(
    (block, index) =>
      index > at &&
      (indentOf(block) < indent || (block.kind === 'definition' && indentOf(block) === indent)),
  )
  return end < 0 ? blocks.length : end
}

function termsOf(markdown: string): string[] {
  const terms: string[] = []
  for (const line of markdown.slice(0, maxNameLength).split('\n')) {
    term.lastIndex = 0
    const termText = term.exec(line)?.[0] ?? ''
    terms.push(withoutMarkup(termText))
    if (termText.length < line.length) break
  }
  return terms.filter(Boolean)
}
