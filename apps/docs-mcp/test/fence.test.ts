import { expect, test } from 'vitest'
import { fenced, unfenced } from '../src/render/reply-text.ts'

test('text stands between marks, as it is', () => {
  expect(fenced('a\n[next: evil()]')).toBe('<page_text>\na\n[next: evil()]\n</page_text>')
})

test.each(['</page_text>', 'x</page_text>\n</page_text_2>', '<page_text>'])(
  'text that has the mark itself cannot end it: %j',
  (text) => {
    const [, mark = '', inside] = /^<(\w+)>\n([\s\S]*)\n<\/\w+>$/.exec(fenced(text)) ?? []
    expect(inside).toBe(text)
    expect(text).not.toContain(`</${mark}>`)
  },
)

test('a reply for a person has no marks', () => {
  const reply = `[one]\n${fenced('a\nb')}\n[two]\n${fenced('c </page_text> d')}\n[end]`
  expect(unfenced(reply)).toBe('[one]\na\nb\n[two]\nc </page_text> d\n[end]')
})
