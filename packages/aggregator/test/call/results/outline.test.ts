import { expect, test } from 'vitest'
import { outlineOf } from '../../../src/call/results/outline.ts'

const outline = (text: string) => outlineOf({ text, json: undefined, isJson: false })

test('headings have the numbers of their lines', () => {
  const text = '# One\ntext\n\n## Two\n#none\n\n#### Three\nmore\n##### no heading\n# Four'
  expect(outline(text)).toEqual([
    'line 1: # One',
    'line 4: ## Two',
    'line 7: #### Three',
    'line 10: # Four',
  ])
  expect(outline(`text\n${text}`)[1]).toBe('line 5: ## Two')
  expect(outline('no\nheading #')).toEqual([])
})
