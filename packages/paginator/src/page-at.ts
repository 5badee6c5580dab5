import { type Budget, charactersFor } from './budget.ts'
import { chooseEnd } from './choose-end.ts'
import type { Content } from './content.ts'
import { lastAtMost } from './last-at-most.ts'
import type { Region } from './scan-regions.ts'
import { wholePair } from './whole-character.ts'

/** One page of a content. `text` is `before` + the content from `start` to `end` + `after`. */
export interface ContentPage {
  start: number
  end: number
  /** Length of the whole content. */
  total: number
  text: string
  /** Repeated from an earlier page: the opening of a fence or the header of a table. */
  before: string
  /** Not part of the content: the closing of a fence that goes on. */
  after: string
  /** False only for a content that fits one page. */
  isPartial: boolean
  /** Where the next page begins; absent on the last one. */
  next?: number
}

/** Share of a budget that may go into what is repeated; past it, a page begins without. */
const mostRepeated = 0.25

/**
 * The page that begins at `start`, of at most `budget` characters, tokens or lines, repeated parts
 * included. It ends at a piece, else at a paragraph, line, sentence or word within the last 200
 * characters; never inside a fence or a table row that would fit a page of its own, nor inside a
 * span of code on a line. Takes at least one character, however small the budget; what is
 * repeated only if it is a small part. `start` past the end gives an empty page.
 */
export function pageAt(content: Content, start: number, budget: number | Budget): ContentPage {
  const total = content.text.length
  const from = wholePair(content.text, Math.min(Math.max(0, Math.floor(start) || 0), total))
  const wanted = typeof budget === 'number' ? { budget } : budget
  const cut = (characters: number) => pageOf(content, from, characters)
  return cut(charactersFor(content, from, wanted, (characters) => cut(characters).text))
}

function pageOf(content: Content, from: number, budget: number): ContentPage {
  const total = content.text.length
  const opening = regionAround(content.regions, from)?.opening ?? ''
  const before = opening.length <= budget * mostRepeated ? opening : ''
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

/** The fence or table whose body holds `position`; its opening would be missing there. */
function regionAround(regions: readonly Region[], position: number): Region | undefined {
  const region =
    regions[lastAtMost(regions.length, (index) => regions[index]?.start ?? 0, position)]
  return region && position >= region.body && position < region.end ? region : undefined
}
