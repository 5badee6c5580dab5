import { escapeText } from '../markdown/escape-text.ts'
import { renderBlock, separatorBetween } from '../markdown/prefixed.ts'
import type { Block, BlockKind, Page, Section } from '../page.ts'

/** Options of {@link toMarkdown} and {@link toChunks}. */
export interface ToMarkdownOptions {
  /**
   * `keep` (default), or a stand-in of a few tokens that states language and length. A block of up to
   * 240 characters, or of up to 5 lines and 1,200 characters, is kept anyway.
   */
  code?: 'keep' | 'stand-in'
}

/**
 * A piece of Markdown that should not be cut; its `text` includes the separator to the next piece.
 */
export interface Chunk {
  kind: BlockKind | 'heading'
  text: string
  /** It stands for a block of code that is left out. */
  isStandIn?: true
}

/** The Markdown of a page, of a section without its subsections, or of several sections. */
export function toMarkdown(
  content: Page | Section | readonly Section[],
  options: ToMarkdownOptions = {},
): string {
  return toChunks(content, options)
    .map((chunk) => chunk.text)
    .join('')
}

/** The same Markdown in pieces, which concatenate to the result of `toMarkdown`. */
export function toChunks(
  content: Page | Section | readonly Section[],
  { code = 'keep' }: ToMarkdownOptions = {},
): Chunk[] {
  const parts = sectionsOf(content).flatMap((section) => partsOf(section, code))
  return parts.map(({ kind, block, isStandIn }, index) => {
    const next = parts[index + 1]
    const text = renderBlock(block) + (next ? separatorBetween(block, next.block) : '')
    return { kind, text, ...(isStandIn && { isStandIn }) }
  })
}

function sectionsOf(content: Page | Section | readonly Section[]): readonly Section[] {
  if ('sections' in content) return content.sections
  return 'blocks' in content ? [content] : content
}

function partsOf(
  section: Section,
  code: 'keep' | 'stand-in',
): (Pick<Chunk, 'kind' | 'isStandIn'> & { block: Block })[] {
  const { kind, level, title, blocks } = section
  const heading: Block = { kind: 'text', markdown: `${'#'.repeat(level)} ${escapeText(title)}` }
  const parts = blocks.map((block, index) => ({
    // The term of an entry stays with its description, as a heading with its text.
    kind: kind === 'entry' && index === 0 ? ('heading' as const) : block.kind,
    ...(code === 'keep' || !isLong(block) ? { block } : standIn(block)),
  }))
  return kind === undefined && level > 0 ? [{ kind: 'heading', block: heading }, ...parts] : parts
}

const shortLines = 5
/** In characters, with fences; the second of a block of few lines. */
const shortLength = 240
const maxShortLength = 1_200

const isLong = ({ kind, lines = 0, markdown }: Block): boolean =>
  kind === 'code' && markdown.length > (lines > shortLines ? shortLength : maxShortLength)

function standIn(block: Block) {
  const lines = block.lines === 1 ? '1 line' : `${block.lines} lines`
  const markdown = `[code${block.language ? ` ${block.language}` : ''}, ${lines}]`
  return { block: { ...block, markdown }, isStandIn: true as const }
}
