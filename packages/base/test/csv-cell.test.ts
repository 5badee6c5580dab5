import { expect, test } from 'vitest'
import { csvCell } from '../src/csv-cell.ts'

test.each([
  ['plain', 'plain'],
  ['a,b', '"a,b"'],
  ['say "x"', '"say ""x"""'],
  ['two\nlines', '"two\nlines"'],
  ['=1+1', "'=1+1"],
  ['@sum(a,b)', `"'@sum(a,b)"`],
  [-5, '-5'],
  [undefined, ''],
])('%j is the cell %j', (value, cell) => {
  expect(csvCell(value)).toBe(cell)
})
