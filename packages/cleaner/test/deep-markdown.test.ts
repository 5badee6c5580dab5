import { cleanMarkdown, toMarkdown } from '@pith-mcp/cleaner'
import { expect, test } from 'vitest'

test.each([['> '], ['- '], ['1. '], ['- > ']])(
  'Markdown of 3,000 %j is shown as it is, if it cannot be parsed',
  (mark) => {
    expect(toMarkdown(cleanMarkdown(`${mark.repeat(3_000)}the end`))).toContain('the end')
  },
)

test.each([
  ['# **&amp;lt;** _b_', '&lt; b'],
  ['# &lt;a&gt; `&lt;` \\*c\\*', '<a> &lt; *c*'],
  ['# **[a _b_][r]** ~~c~~\n\n[r]: /u', 'a b c'],
])('the title of %j is %j', (source, title) => {
  expect(cleanMarkdown(source).title).toBe(title)
})
