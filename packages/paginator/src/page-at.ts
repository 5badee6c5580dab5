import { type Budget, charactersFor } from './budget.ts'
import { wholePair } from './character-boundary.ts'
import { chooseEnd } from './choose-end.ts'
import type { Content } from './content.ts'
import { lastAtMost } from './last-at-most.ts'
import type { Region } from './scan-regions.ts'

/** One page of a content. `text` is `before` + the content from `start` to `end` + `after`. */
export interface ContentPage {
  start: number
  end: number
  /** Length of the whole content. */
  total: number
  text: string
  /** Repeated from an earlier page: the opening of a fence or the header of a table. */
  before: string
  /** Not part of the content: the closing of a fence that continues. */
  after: string
  /** False only for a content that fits into one page. */
  isPartial: boolean
  /** Start of the next page; absent on the last one. */
  next?: number
}

/** Maximum share of a budget for repeated parts; otherwise nothing is repeated. */
const maxRepeated = 0.25

/**
 * The page that begins at `start`, of at most `budget` characters, tokens or lines, including
 * repeated parts. It ends at a piece, or else at a paragraph, line, sentence or word within the
 * last 200 characters; never inside a fence or table row that would fit into a page, nor inside a
 * code span. It has at least one character, however small the budget. A `start` past the end
 * returns an empty page.
 */
export function pageAt(content: Content, start: number, budget: number | Budget): ContentPage {
  const total = content.text.length
  const from = wholePair(content.text, Math.min(Math.max(0, Math.floor(start) || 0), total))
  const size = typeof budget === 'number' ? { budget } : budget
  const cut = (characters: number) => pageOf(content, from, characters)
  return cut(charactersFor(content, from, size, (characters) => cut(characters).text))
}

function pageOf(content: Content, from: number, budget: number): ContentPage {
  const total = content.text.length
  const opening = regionAround(content.regions, from)?.opening ?? ''
  const before = opening.length <= budget * maxRepeated ? opening : ''
  const room = Math.max(1, (Math.floor(budget) || 0) - before.length)
  const { end, after } = chooseEnd(content, from, room)
  return {
    start: from,
    end,
    total,
    text: before + content.text.slice(from, end) + after,
    before,
    after,
    isPartial: from > 0 || end < total,
    ...(end < total && { next: end }),
  }
}

/** The fence or table whose body contains `position`, where its opening is missing. */
function regionAround(regions: readonly Region[], position: number): Region | undefined {
  const region =
    regions[lastAtMost(regions.length, (index) => regions[index]?.start ?? 0, position)]
  return region && position >= region.body && position < region.end ? region : undefined
}
