import { expect, test } from 'vitest'
import { largestSeries } from '../web/charts/chart.ts'
import { rangeOf, stacked } from '../web/charts/stacks.ts'

test('what is less than nothing is drawn below zero, apart from what is more', () => {
  expect(
    stacked([
      [5, -3],
      [2, -4],
      [-1, 6],
    ]),
  ).toEqual([
    [-1, 6],
    [7, -7],
    [5, -3],
  ])
  expect(rangeOf(-50, 50)).toEqual([-54, 54])
  expect(rangeOf(-100, -1)).toEqual([-108, 0])
  expect(rangeOf(3, 50)).toEqual([0, 54])
  expect(rangeOf(null, null)).toEqual([0, 1])
})

test('those that say most are shown, by what is drawn and not by how often they are called', () => {
  const series = [
    { name: 'busy', values: [0, 0] },
    { name: 'small', values: [1, 1] },
    { name: 'costly', values: [-40, -40] },
    { name: 'saving', values: [30, null] },
    { name: 'others', values: [3, 0] },
  ]
  expect(largestSeries(series, 2)).toEqual([
    { name: 'costly', values: [-40, -40] },
    { name: 'saving', values: [30, null] },
    { name: 'others', values: [4, 1] },
  ])
  expect(largestSeries([{ name: 'busy', values: [0] }], 2)).toEqual([])
})
