import { estimateTokens } from '@pith-mcp/paginator'
import type { Excerpt, Source } from './excerpt.ts'
import { type SectionExcerpt, sectionExcerpt } from './section-excerpt.ts'

/** Bounds of an excerpt, in characters and estimated tokens. */
export interface Bounds {
  maxLength: number
  maxTokens: number
}

/** The excerpt of a section for a query, within both bounds. */
export function excerptWithin(text: string, query: string, bounds: Bounds): SectionExcerpt {
  const { maxLength, maxTokens } = bounds
  let excerpt = sectionExcerpt(text, query, maxLength)
  for (let tries = 0; tries < 8; tries++) {
    const tokens = estimateTokens(excerpt.text)
    if (tokens <= maxTokens) break
    const shorter = Math.floor((excerpt.text.length * maxTokens * 0.9) / tokens)
    excerpt = sectionExcerpt(text, query, Math.max(1, shorter))
  }
  return excerpt
}

/** A text, if it is within the bounds; otherwise its passages for a query. */
export function passagesOf(
  { content: { text }, codeBlocksOmitted }: Source,
  query: string,
  bounds: Bounds,
): Excerpt {
  const { text: markdown, isWhole } = excerptWithin(text, query, bounds)
  return {
    markdown,
    start: 0,
    end: text.length,
    total: text.length,
    tokens: estimateTokens(markdown),
    codeBlocksOmitted,
    ...(!isWhole && { isPassages: true as const }),
  }
}
