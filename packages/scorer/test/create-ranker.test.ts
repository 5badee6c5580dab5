import { createRanker } from '@pith-mcp/scorer'
import { expect, test } from 'vitest'

interface Section {
  title: string
  text: string
  parent?: Section
}

const filler = 'This is what you do when you want to know how it is done, and so on. '.repeat(40)
const sections: Section[] = [
  { title: 'History', text: `${filler} A blueprint was registered once.` },
  { title: 'Registering blueprints', text: 'Call register_blueprint() on the application.' },
  { title: 'Blueprints', text: 'A blueprint is a part of an application.' },
  { title: 'Timeouts', text: 'Set maxIdleTime to close idle connections.' },
  { title: 'ウェアハウスの作成', text: '仮想ウェアハウスの作成には権限が必要です。' },
  { title: '表の更新', text: '行の更新には UPDATE を使います。' },
]
const ranker = createRanker(sections, {
  fields: [
    { name: 'heading', text: ({ title }) => title, weight: 4 },
    { name: 'own text', text: ({ text }) => text, weight: 1 },
  ],
  parent: ({ parent }) => parent,
})
const best = (query: string) => ranker.rank(query)[0]?.item.title

test.each([
  ['How do I register a blueprint?', 'Registering blueprints'],
  ['what is a blueprint', 'Blueprints'],
  ['idle time', 'Timeouts'],
  ['maxIdleTime', 'Timeouts'],
  ['register blueprint', 'Registering blueprints'],
  ['更新', '表の更新'],
  ['ウェアハウスの作成', 'ウェアハウスの作成'],
  ['ＵＰＤＡＴＥ', '表の更新'],
])('%s → %s', (query, title) => {
  expect(best(query)).toBe(title)
})

test('says why', () => {
  expect(ranker.rank('blueprints')[0]?.reasons).toEqual([
    'heading: blueprint',
    'own text: blueprint',
  ])
})

test('a question of nothing but small words is still asked', () => {
  expect(best('how is it done')).toBe('History')
})

test('no term, no result; a limit is kept', () => {
  expect(ranker.rank(' ?! ')).toEqual([])
  expect(ranker.rank('xylophone')).toEqual([])
  expect(ranker.rank('blueprint', { limit: 2 })).toHaveLength(2)
  expect(createRanker([], { fields: [] }).rank('x')).toEqual([])
})

test('of two hits, one inside the other, the better one is kept', () => {
  const outer: Section = { title: 'Knots', text: 'All knots.' }
  const inner: Section = { title: 'Bowline', text: 'One of the knots.', parent: outer }
  const nested = createRanker([outer, inner], {
    fields: [{ name: 'text', text: ({ title, text }) => `${title} ${text}`, weight: 1 }],
    parent: ({ parent }) => parent,
  })
  expect(nested.rank('knots').map(({ item }) => item.title)).toEqual(['Knots'])
  expect(nested.rank('bowline knots').map(({ item }) => item.title)).toEqual(['Bowline'])
})

test('a query of 100,000 characters and one of odd characters are answered', () => {
  expect(ranker.rank('blueprint '.repeat(10_000)).length).toBeGreaterThan(0)
  expect(ranker.rank('\ud800 \0 \u202e blueprint').length).toBeGreaterThan(0)
})

test('words close together and titles of the query add to a score', () => {
  const pad = 'and so on '.repeat(60)
  const apart = { title: 'Apart', text: `ferry ${pad} harbour ${pad} evening` }
  const near = { title: 'Near', text: `${pad} ferry harbour at evening ${pad}` }
  const titled = { title: 'Ferry harbour', text: `${pad} evening ${pad}` }
  const firstWith = (tuning: object, items: Section[]) =>
    createRanker(items, {
      fields: [
        { name: 'heading', text: ({ title }) => title, weight: 1 },
        { name: 'own text', text: ({ text }) => text, weight: 1 },
      ],
      tuning: { titleCoverage: 0, adjacency: 0, ...tuning },
    }).rank('ferry harbour evening')[0]?.item.title
  expect(firstWith({}, [apart, near])).toBe('Apart')
  expect(firstWith({ proximity: 0.5 }, [apart, near])).toBe('Near')
  expect(firstWith({ title: 5, proximity: 0.5 }, [apart, near, titled])).toBe('Ferry harbour')
})

test('only the items asked for are ranked, as many as the limit says', () => {
  const among = ({ title }: Section) => title === 'Blueprints' || title === 'History'
  const found = ranker.rank('blueprint', { limit: 2, among })
  expect(found.map(({ item }) => item.title)).toEqual(['Blueprints', 'History'])
  expect(ranker.rank('blueprint', { limit: 1 })[0]?.item.title).toBe('Blueprints')
})
