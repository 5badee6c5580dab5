import { expect, test } from 'vitest'
import { headingsIn } from '../../../src/call/results/outline.ts'

test('headings have the numbers of their lines', () => {
  const text = '# One\ntext\n\n## Two\n#none\n\n#### Three\nmore\n##### no heading\n# Four'
  expect(headingsIn(text)).toEqual([
    'line 1: # One',
    'line 4: ## Two',
    'line 7: #### Three',
    'line 10: # Four',
  ])
  expect(headingsIn(`text\n${text}`)[1]).toBe('line 5: ## Two')
  expect(headingsIn('no\nheading #')).toEqual([])
})
