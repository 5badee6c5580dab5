import { expect, test } from 'vitest'
import { type Bookmark, bookmarkedHeadings, emptyShare } from '../src/readers/pdf/headings.ts'
import type { TextLine } from '../src/readers/pdf/text-lines.ts'

/** Lines of one page, from its top, each 20 points below the last. */
const pageOf = (page: number, texts: readonly string[]): TextLine[] =>
  texts.map((text, at) => ({
    ...{ page, text, x: 72, right: 300, y: 700 - 20 * at, size: 10, style: 'F 10' },
    ...{ isMono: false, charWidth: 5, isRow: false },
  }))

const bookmark = (title: string, page: number, top?: number, level = 1): Bookmark => ({
  ...{ title, page, level, top },
})

test.for([
  ['10 Why is it so?', 'Why is it so?', '10 Why is it so?'],
  ['Chapter 3. Ropes', 'Ropes', 'Chapter 3. Ropes'],
  ['A.1 Knots', 'Knots', 'A.1 Knots'],
  ['Ropes', '3 Ropes', '3 Ropes'],
  ['3.1. Ropes and knots', '3.1 Ropes and knots', '3.1 Ropes and knots'],
  ['6 I get an error', 'I get an error', '6 I get an error'],
  ['A guide', 'A guide', 'A guide'],
])('the line "%s" is the title "%s"', ([text = '', title = '', expected]) => {
  const pages = [pageOf(1, ['Before.', text, 'After.'])]
  const [heading] = bookmarkedHeadings([bookmark(title, 1)], pages)
  expect(heading?.lines).toEqual([pages[0]?.[1]])
  expect(heading?.title).toBe(expected)
})

test('of equal lines, the one next to the destination is the title', () => {
  const pages = [pageOf(1, ['Ropes', 'Before.', 'Ropes', 'After.'])]
  const [heading] = bookmarkedHeadings([bookmark('Ropes', 1, 672)], pages)
  expect(heading?.lines).toEqual([pages[0]?.[2]])
})

test('a title that no line has stands before the first line below its destination', () => {
  const pages = [pageOf(1, ['Before.', 'Printed otherwise', 'After.']), pageOf(2, ['Next.'])]
  const [inside, end, unknown] = bookmarkedHeadings(
    [bookmark('Title', 1, 690), bookmark('Last', 1, 100), bookmark('Page', 2)],
    pages,
  )
  expect(inside?.before).toBe(pages[0]?.[1])
  expect(end?.before).toBe(pages[1]?.[0])
  expect(unknown).toEqual({ title: 'Page', level: 1, lines: [], page: 2 })
})

test('headings without text below them are counted, but not before deeper ones', () => {
  const pages = [pageOf(1, ['One', 'Two', 'Text.', 'Three', 'Four', 'Text.'])]
  const marks = ['One', 'Two', 'Three', 'Four'].map((title, at) => {
    return bookmark(title, 1, undefined, at === 3 ? 2 : 1)
  })
  expect(emptyShare(bookmarkedHeadings(marks, pages), pages)).toBe(1 / 4)
})
