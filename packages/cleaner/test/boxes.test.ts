import { cleanHtml, toMarkdown } from '@pith-mcp/cleaner'
import { describe, expect, test } from 'vitest'

const inMain = (html: string): string =>
  toMarkdown(cleanHtml(`<main><h1>T</h1>${html}</main>`)).replace(/^# T\n\n/, '')

describe('admonitions', () => {
  test.each([
    [
      'kind and title in parts of names',
      '<aside class="docs-callout docs-callout--danger"><div class="docs-callout__heading">Mind</div><p>Steep.</p></aside>',
    ],
    [
      'a title in a box of the box, after an icon',
      '<div class="noticeBox_x7Kq notice-tip"><span class="notice-icon"></span><div><div class="noticeTitle_a1B2">Mind</div><div>Steep.</div></div></div>',
    ],
    ['a role', '<div role="note"><h4>Mind</h4>Steep.</div>'],
    ['an accessible name', '<section role="note" aria-label="Mind">Steep.</section>'],
    [
      'a title that readers do not hear twice',
      '<aside class="x-alert-error" aria-label="Mind"><b class="x-alert-title" aria-hidden="true">Mind</b> Steep.</aside>',
    ],
  ])('%s', (_name, html) => {
    expect(inMain(html)).toBe('> **Mind:** Steep.')
  })

  test.each([
    '<div class="info"><div><h2>Ports</h2></div><p>Steep.</p></div>',
    '<div class="alertness">Steep.</div>',
    '<div class="alert-content info-text">Steep.</div>',
  ])('not each name is one: %s', (html) => {
    expect(inMain(html)).not.toContain('>')
  })
})

describe('words of different boxes', () => {
  test.each([
    ['labels', 'sail()<i class="label-new">New</i><i class="api-tag">2.0</i>', 'sail() New 2.0'],
    ['styles', '<i style="display: block">Sail</i><i style="display:flex">Moor</i>', 'Sail Moor'],
    ['roles', '<i role="cell">Sail</i><i role="cell">Moor</i>', 'Sail Moor'],
    ['code and code', '<code>ship.sail</code><code>port</code>', 'ship.sail port'],
    ['code and text', '<code>sail</code>Deprecated', 'sail Deprecated'],
    ['text and code', 'Method<code>sail</code>', 'Method sail'],
  ])('are apart in titles: %s', (_name, html, title) => {
    expect(cleanHtml(`<main><h2>${html}</h2><p>x</p></main>`).sections[0]?.title).toBe(title)
  })

  test.each([
    ['an ending', '<code>Ship</code>s and <code>Port</code>ed', 'Ships and Ported'],
    ['names', '<code>ship.</code><code>sail</code>(<code>to</code>)', 'ship.sail(to)'],
    ['a beginning', 'un<code>safe</code>', 'unsafe'],
    ['signs', '(<i class="tag">new</i>), <i class="flag">a</i>.', '(new), a.'],
  ])('are one with %s', (_name, html, title) => {
    expect(cleanHtml(`<main><h2>${html}</h2><p>x</p></main>`).sections[0]?.title).toBe(title)
  })

  test('in paragraphs and items, too', () => {
    expect(inMain('<p>Sail<i class="badge">New</i>now, <i class="badge">old</i>.</p>')).toBe(
      'Sail *New* now, *old*.',
    )
    expect(inMain('<ul><li><b>Sail</b><span style="display:block">Go.</span></li></ul>')).toBe(
      '- **Sail** Go.',
    )
  })
})

test('a summary keeps its marks', () => {
  expect(inMain('<details><summary>Use <kbd>x</kbd> <em>now</em></summary>Y</details>')).toBe(
    '**Use `x` *now***\n\nY',
  )
})

test('the reading of a word stands in brackets', () => {
  const ruby = '<ruby>東<rt>とう</rt>京<rt>きょう</rt></ruby>'
  expect(inMain(`<h2>${ruby}</h2><p>${ruby}</p>`)).toBe(
    '## 東(とう)京(きょう)\n\n東(とう)京(きょう)',
  )
  expect(inMain('<p><ruby>東<rp>（</rp><rt>とう</rt><rp>）</rp></ruby></p>')).toBe('東（とう）')
})

test.each([
  ['<p><s>a<br>b c</s></p>', '~~a~~\n~~b c~~'],
  ['<p><del>a</del><s>b</s> <del>c</del></p>', '~~ab~~ ~~c~~'],
  ['<p><del>a</del><s> b</s>c</p>', '~~a~~ ~~b~~c'],
  ['<p><strike><code>a</code></strike></p>', '~~`a`~~'],
  ['<del><p>a <b>b</b></p><ul><li>c</li></ul>d</del>', '~~a **b**~~\n\n- ~~c~~\n\n~~d~~'],
  ['<s><pre>a\nb</pre></s>', '~~`a`~~\n~~`b`~~'],
  ['<table><tr><th>a</th><th><del>b<br>c</del></th></tr></table>', '|a|~~b~~ ~~c~~|\n|-|-|'],
  ['<del><table><tr><th>a</th><th>b</th></tr></table></del>', '|~~a~~|~~b~~|\n|-|-|'],
  ['<p><a href="u"><del>a</del></a></p>', '~~a~~'],
])('struck text is marked: %s', (html, markdown) => {
  expect(inMain(html)).toBe(markdown)
})

describe('code on a page of code', () => {
  const transcript = (box: string, line: (text: string) => string) =>
    Array.from({ length: 6 }, () =>
      box.replace(
        '…',
        `${line('$ ferry list')}\n${line('The first ship of the list is in the harbour now.')}\n${line('The second ship sails in the evening.')}\n`,
      ),
    ).join('')
  test.each([
    [
      'in a box of code',
      transcript('<figure class="highlight"><pre>…</pre></figure>', (text) => text),
    ],
    [
      'with the language further out',
      transcript('<div class="language-console"><div><pre>…</pre></div></div>', (text) => text),
    ],
    [
      'with spans of a highlighter',
      transcript('<pre>…</pre>', (text) => `<span class="go">${text}</span>`),
    ],
    ['between paragraphs', transcript('<p>Then again.</p><pre>…</pre>', (text) => text)],
  ])('stays code: %s', (_name, html) => {
    const { sections } = cleanHtml(`<main><h1>T</h1>${html}</main>`)
    const code = sections.flatMap(({ blocks }) => blocks.filter(({ kind }) => kind === 'code'))
    expect(code).toHaveLength(6)
  })
})
