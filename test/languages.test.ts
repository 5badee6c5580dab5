import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { allLanguages } from '../packages/code/src/languages/all-languages.ts'

test.for([
  ['docs/code.md', /^## Languages\n\n(.*?)\. The language/m],
  ['packages/code/README.md', /grammars of [\w-]+ languages:\n\n- (.*?)\n\n/s],
] as const)('%s names every language', ([path, list]) => {
  const [, named = ''] = list.exec(readFileSync(path, 'utf8')) ?? []
  expect(named.split(/, | and |\n- /)).toHaveLength(allLanguages.length)
})

const numbers = ['twenty', 'twenty-one', 'twenty-two', 'twenty-three']

test('README.md counts the languages', () => {
  const number = numbers[allLanguages.length - 20]
  expect(readFileSync('README.md', 'utf8')).toContain(`in ${number} languages`)
})
