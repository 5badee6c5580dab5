import { expect, test } from 'vitest'
import { callText, withCommands } from '../../src/tools/index.ts'

const forms = { read_part: { command: 'app part', words: ['url', 'part'] } }
const flags = { page: '--page', in_full: '--full', max_rows: '--rows' }
const commands = (text: string): string => withCommands(text, forms, flags, 'app part')

test.each([
  [{ url: 'a.html', part: 'x' }, 'app part a.html x'],
  [{ url: 'a b.html', part: `it's $(date) "now"` }, `app part 'a b.html' 'it'\\''s $(date) "now"'`],
  [{ url: 'a.html', part: 'x', in_full: true }, 'app part a.html x --full'],
  [{ url: 'a.html', part: 'x', page: '12.abcdef' }, '--page 12.abcdef'],
  [{ url: 'a.html', part: 'x, y) or (z' }, "app part a.html 'x, y) or (z'"],
])('the call with %j is a command', (args, command) => {
  expect(commands(`[next: ${callText('read_part', args)}]`)).toBe(`[next: ${command}]`)
})

test.each([
  ['raise max_rows or add words', 'raise --rows or add words'],
  ['Leave out `page` to begin', 'Leave out --page to begin'],
  ['use page numbers with toString', 'use page numbers with toString'],
  ['other_tool(url="a")', 'other_tool(url="a")'],
])('%s', (text, expected) => {
  expect(commands(text)).toBe(expected)
})

test('a text of many beginnings of calls takes time in proportion', () => {
  const text = 'read_part(a='.repeat(20_000) + '"\\'.repeat(20_000)
  expect(commands(text)).toBe(text)
})
