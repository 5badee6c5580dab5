import * as api from '@pith-mcp/scorer'
import { expect, test } from 'vitest'

const { countScorer } = api

interface Section {
  title: string
  text: string
  parent?: Section
}

const guide: Section = { title: 'Warehouse guide', text: 'About size.' }
const create: Section = {
  title: 'Create a warehouse',
  text: 'A warehouse has a size. Warehouse names are unique.',
  parent: guide,
}
const billing: Section = { title: 'Billing', text: 'Each warehouse is billed by its size.' }

const ranker = countScorer([guide, create, billing], {
  heading: ({ title }) => title,
  text: ({ text }) => text,
  parent: ({ parent }) => parent,
})

test('exports these names', () => {
  expect(Object.keys(api).sort()).toEqual([
    'countScorer',
    'createRanker',
    'createSectionRanker',
    'createToolRanker',
    'defaultTuning',
    'editDistance',
    'excerptOf',
    'readQuery',
    'synonymsOf',
    'termsOf',
  ])
})

test('a word in the heading counts ten, each in the own text one', () => {
  expect(ranker.rank('warehouse').map(({ item, score }) => [item.title, score])).toEqual([
    ['Create a warehouse', 12],
    ['Billing', 1],
  ])
})

test('of two hits, one inside the other, the better one is kept', () => {
  const titles = ranker.rank('size').map(({ item }) => item.title)
  expect(titles).toEqual(['Warehouse guide', 'Billing'])
})

test('says why', () => {
  const [best] = ranker.rank('CREATE  warehouse')
  expect(best?.reasons).toEqual([
    'heading: create',
    'heading: warehouse',
    'own text: 2 × warehouse',
  ])
  expect(ranker.rank('billing')[0]?.reasons).toEqual(['heading: exact'])
})

test('letters match whatever their case or width', () => {
  expect(ranker.rank('ＢＩＬＬＩＮＧ')[0]?.item).toBe(billing)
})

test('a query without a word finds nothing', () => {
  expect(ranker.rank('')).toEqual([])
  expect(ranker.rank(' \n\t ')).toEqual([])
})

test('returns no more than asked for', () => {
  expect(ranker.rank('size', { limit: 1 })).toHaveLength(1)
  expect(ranker.rank('size', { limit: 0 })).toEqual([])
})

test('a query of 100,000 characters is answered', () => {
  expect(ranker.rank('warehouse '.repeat(10_000))).toHaveLength(2)
  expect(ranker.rank('x'.repeat(100_000))).toEqual([])
})

test.each(['billing?', 'Billing,', '(billing)', '“billing”', 'billing()', 'billing。'])(
  'punctuation around a word does not hide it: %s',
  (query) => {
    expect(ranker.rank(query)[0]?.item).toBe(billing)
  },
)
