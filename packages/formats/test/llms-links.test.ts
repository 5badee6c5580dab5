import { expect, test } from 'vitest'
import { llmsLinks } from '../src/readers/markdown.ts'

const base = 'https://example.org/llms.txt'

test.each([
  ['[Part (2)](/part_(2).md): two', '/part_(2).md', 'Part (2)', 'two'],
  ['[a](</with blank.md>) — b', '/with%20blank.md', 'a', 'b'],
  ['[a [b] c](/x.md "Title (3)"): d', '/x.md', 'a [b] c', 'd'],
  ['[![Alt](i.png)](/x.md)', '/x.md', 'Alt', ''],
  ['**[a](/x.md)**', '/x.md', 'a', '**'],
  ['[a][ref]: b\n\n[ref]: /x.md', '/x.md', 'a', 'b'],
  ['[a\\]b](/x\\(y.md)', '/x(y.md', 'a]b', ''],
  ['[a](/x.md#part), [b](/x.md#other)', '/x.md', 'a', ', [b](/x.md#other)'],
])('%s is a link', (text, path, title, about) => {
  const url = `https://example.org${path}`
  expect(llmsLinks(`# S\n\n- ${text}\n`, base)).toEqual([{ url, title, about }])
  expect(llmsLinks(`| a |\n|---|\n| [x](/cell.md) |\n\n${text}\n`, base)).toHaveLength(2)
})

test.each([
  '`[a](/x.md)`',
  '    [a](/x.md)',
  '```\n[a](/x.md)\n```',
  '[a](mailto:b@c.de)',
  '[a](//[)',
])('%j is no link', (text) => {
  expect(llmsLinks(`${text}\n`, base)).toEqual([])
})
