import { expect, test } from 'vitest'
import { fuseRankings } from '../src/search/fuse-rankings.ts'

test('what two wordings find at place 4 comes before what one finds first, at place 6 after it', () => {
  const listOf = (name: string) => Array.from({ length: 10 }, (_, at) => `${name}${at + 1}`)
  const [one, two] = [listOf('a'), listOf('b')]
  for (const list of [one, two]) list.splice(3, 3, 'both at 4', list[4] ?? '', 'both at 6')
  const order = fuseRankings([one, two], (item) => item).map(({ item }) => item)
  expect(order.slice(0, 3)).toEqual(['both at 4', 'a1', 'b1'])
  expect(order.indexOf('both at 6')).toBe(3)
})
