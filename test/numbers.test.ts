import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('the page of numbers is what the tables of the benchmarks say', () => {
  const printed = execFileSync(process.execPath, ['bench/numbers.mjs'], { encoding: 'utf8' })
  expect(readFileSync('docs/numbers.md', 'utf8')).toBe(printed)
})
