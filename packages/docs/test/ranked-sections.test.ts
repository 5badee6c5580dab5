import { expect, test } from 'vitest'
import { rankIndex } from '../src/search/rank-index.ts'
import { rankQuery } from '../src/search/rank-query.ts'
import type { SearchedIndex } from '../src/search/repair-query.ts'
import { createMemoryIndex } from '../src/search-index/memory-search-index.ts'
import { pageOf } from './search-index.contract.ts'

/** An index of one page, whose sections are called by their places. */
async function indexOf(...sections: [title: string, text: string][]) {
  const index = createMemoryIndex()
  const page = sections.map(([title, text], at) => {
    return { id: `${at}`, title, heading: title, path: ['Stores'], text, tokens: 9 }
  })
  await index.put([pageOf('stores.html', 'Stores', '', { sections: page })])
  return { index, indexes: [{ index, name: 'manual' } as unknown as SearchedIndex] }
}

const options = { limit: 30, repairs: false }

test('sections with less than 30 % of the best score are not shown', async () => {
  const query = 'anchor chain'
  const { indexes } = await indexOf(
    ['Anchor chain', 'It is of iron.'],
    ...[1, 2, 3, 4, 6, 9].map((count): [string, string] => [
      'Stores',
      'A chain is heavy. An anchor rusts. '.repeat(count),
    ]),
    ['Stores', 'chain of the anchor, anchor of the chain. '.repeat(4)],
  )
  const { sections } = await rankQuery(indexes, query, options)
  const shares = sections.map(({ score }) => score / (sections[0]?.score ?? 0))
  const { hits } = await rankIndex(indexes, [query], {})
  expect(hits[0]?.matching).toHaveLength(shares.filter((share) => share >= 0.3).length)
  // Some are shown that a higher limit would leave out, and some left out that a lower one would show.
  expect(shares[1]).toBeLessThan(0.6)
  expect(shares.at(-1)).toBeGreaterThan(0.15)
})

test('synonyms find sections in an index of up to 100,000 sections', async () => {
  const { index, indexes } = await indexOf(['Ropes', 'Delete what is worn.'])
  const totals = await index.totals()
  const found = async (sections: number) => {
    index.totals = async () => ({ ...totals, sections })
    return (await rankQuery(indexes, 'remove', options)).sections.length
  }
  expect([await found(100_000), await found(100_001)]).toEqual([1, 0])
})

test('sections of two pages with the same text are one, unless it is shorter than 30 characters', async () => {
  const found = async (text: string) => {
    const { index, indexes } = await indexOf(['Ropes', text])
    await index.put([pageOf('copy.html', 'Ropes', text)])
    return (await rankQuery(indexes, 'hawser', options)).sections.length
  }
  const text = 'A hawser moors the large ships'
  expect([await found(text), await found(text.slice(1))]).toEqual([1, 2])
})
