import { expect, test } from 'vitest'
import { fuseRankings } from '../src/search/fuse-rankings.ts'

test('what two wordings find at place 8 comes before what one finds first, at place 10 after it', () => {
  const listOf = (name: string) => Array.from({ length: 10 }, (_, at) => `${name}${at + 1}`)
  const [one, two] = [listOf('a'), listOf('b')]
  for (const list of [one, two]) list.splice(7, 3, 'both at 8', list[8] ?? '', 'both at 10')
  const order = fuseRankings([one, two], (item) => item).map(({ item }) => item)
  expect(order.slice(0, 3)).toEqual(['both at 8', 'a1', 'b1'])
  expect(order.indexOf('both at 10')).toBe(3)
})
