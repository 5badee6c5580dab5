import { cleanHtml, toMarkdown } from '@pith-mcp/cleaner'
import { describe, expect, test } from 'vitest'

const page = (html: string) => cleanHtml(`<body>${html}</body>`, { debug: true })
const textOf = (html: string) => toMarkdown(page(html))
const rulesOf = (html: string) => page(html).health.removals?.map(({ rule }) => rule)
const list = (count: number, attributes = '') =>
  `<ul ${attributes}>${'<li><a href="knot.html">Reef knot</a></li>'.repeat(count)}</ul>`
const text = '<p>A splice joins two ropes for good, and a bend joins them for a day.</p>'.repeat(3)

describe('a page that is a list keeps', () => {
  test('contents in the box with the title', () => {
    const box = `<div class="book"><h1>Knots</h1><div class="toc-tree">${list(20)}</div></div>`
    expect(textOf(`${box}<p>Printed in Norwich.</p>`)).toMatch(/^# Knots\n\n- Reef knot\n/)
  })

  test('contents after a short text that has the title', () => {
    const head = '<div><div><h1>Knots</h1><p>All that a rigger ties, by the book.</p></div></div>'
    expect(textOf(`<div>${head}<div class="toc">${list(20)}</div></div>`)).toContain('- Reef knot')
  })

  test('contents of Texinfo that are most of the page', () => {
    const texinfo = (body: string) =>
      textOf(`<meta name="generator" content="texi2any"><h1>Knots</h1>${body}`)
    const contents = (count: number) => `<div class="Contents_element">${list(count)}</div>`
    expect(texinfo(`<p>By the book.</p>${contents(20)}`)).toContain('- Reef knot')
    expect(texinfo(`${contents(2)}${text.repeat(9)}`)).not.toContain('Reef knot')
  })

  test('rows that are folded', () => {
    const row = (attributes: string, name: string) =>
      `<tr ${attributes}><td><a href="k.html">${name}</a></td><td>${name} of hemp</td></tr>`
    const table = `<table>${row('', 'Bends')}${row('style="display:none"', 'Carrick')}</table>`
    expect(textOf(`<h1>Knots</h1>${text}${table}`)).toContain('|Carrick|Carrick of hemp|')
  })

  test('but not a list of the pages of the site that has no title', () => {
    expect(textOf(`<div class="toc">${list(20)}</div><div><h1>Splices</h1>${text}</div>`)).toMatch(
      /^# Splices\n\nA splice/,
    )
  })
})

describe('what surrounds a page goes, and has a rule', () => {
  test('a menu in a layout table beside a short text', () => {
    const menu = '<a href="r.html"><img alt="Ropes"></a><br><a href="k.html"><img alt="Hooks"></a>'
    const body = `<table><tr><td>${menu}</td><td><h2>Sheds</h2>${text}</td></tr></table><p>Set in Norwich.</p>`
    expect(textOf(body)).toMatch(/^## Sheds\n\nA splice/)
  })

  const control = (name: string) => `<td><a href="p.html"><img src="p.png" alt="${name}"></a></td>`
  const bar = `<table><tr>${control('Prev')}<th>The Rigger</th>${control('Next')}</tr></table>`
  test.each([
    ['links of images in a table above the title', 'trail', `${bar}<h1>Splices</h1>${text}`],
    ['the same below the text', 'pager', `<h1>Splices</h1>${text}${bar}`],
    [
      'a bar of chapter numbers above the title',
      'trail',
      `<p>[ <a href="1.html">31</a> ] [ <a href="2.html">32</a> ]</p><h1>Splices</h1>${text}`,
    ],
    [
      'a logo that leads to the site',
      'trail',
      `<div><a href="/"><img src="l.png" alt="The Rigger"></a></div><h1>Splices</h1>${text}`,
    ],
    [
      'a line above the title that stands at the end too',
      'running head',
      `<p>The Rigger, 31</p><h1>Splices</h1>${text}<p>The Rigger, 31</p>`,
    ],
    [
      'a legal notice at the end',
      'legal notice',
      `<h1>Splices</h1>${text}<p>The Rigger is © 1931 by the rope makers of Norwich.</p>`,
    ],
    [
      'a table of links of DocBook',
      '.NAVHEADER',
      `<div class="NAVHEADER"><table><tr><td>The Rigger, 31</td></tr></table></div><h1>Splices</h1>${text}`,
    ],
  ])('%s', (_what, rule, html) => {
    expect(textOf(html)).toMatch(/^# Splices\n\nA splice/)
    expect(textOf(html)).not.toMatch(/Rigger|31/)
    expect(rulesOf(html)).toContain(rule)
  })

  test.each([
    [
      'a title between two controls',
      '<table><tr><td><a href="p">Prev</a></td><td><h1>Rigger</h1></td><td><a href="n">Next</a></td></tr></table>',
    ],
    ['a line of links in a sentence', '<h1>Splices</h1><p>See <a href="p">Rigger</a> | more.</p>'],
    [
      'a legal notice below its heading',
      `<h1>Splices</h1>${text}<h2>Licence</h2><p>The Rigger is © 1931 by the makers.</p>`,
    ],
    [
      'a legal notice in a list',
      `<h1>Splices</h1>${text}<ul><li><p>The Rigger is © 1931 by the makers.</p></li></ul>`,
    ],
    ['a line above the title alone', `<p>Rigger, 31</p><h1>Splices</h1>${text}`],
  ])('but not %s', (_what, html) => {
    expect(textOf(html)).toContain('Rigger')
  })
})
