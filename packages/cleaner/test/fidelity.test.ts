import { cleanHtml, toMarkdown } from '@pith-mcp/cleaner'
import { describe, expect, test } from 'vitest'

const inMain = (html: string) => toMarkdown(cleanHtml(`<main><h1>T</h1><p>Text.</p>${html}</main>`))

describe('content that looks like noise', () => {
  test.each([
    ['<aside class="footnote"><p><a href="u">RFC 9110</a></p></aside>', 'RFC 9110'],
    ['<aside class="tip"><p><a href="u">Migrate</a> first.</p></aside>', 'Migrate'],
    ['<section class="pager"><h2>Pager</h2><p>How.</p></section>', '## Pager'],
    ['<section id="breadcrumbs"><h2>Crumbs</h2><p>Body.</p></section>', 'Body.'],
    ['<div role="complementary"><p>A note.</p></div>', 'A note.'],
    ['<header><p>Applies to v2.</p></header>', 'Applies to v2.'],
    ['<form><p>Fill in</p><pre>code</pre></form>', 'code'],
    ['<div class="tab-content" style="display: none"><p>Windows</p></div>', 'Windows'],
    ['<div hidden="until-found"><p>Later</p></div>', 'Later'],
    ['<pre aria-hidden="true">shown</pre>', 'shown'],
  ])('stays: %s', (html, text) => {
    expect(inMain(html)).toContain(text)
  })

  test.each([
    '<aside><a href="a">Elsewhere</a> <a href="b">More</a></aside>',
    '<form><input name="q"><button>Search</button></form>',
    '<header><a href="/">Site</a></header>',
    '<div class="toolbar-item"><span>Copy</span></div>',
    '<p>Last updated on 1 May 2026</p>',
  ])('goes: %s', (html) => {
    expect(inMain(html)).toBe('# T\n\nText.')
  })
})

test('several articles or mains are all content', () => {
  const articles =
    '<h1>FAQ</h1><article><h2>One</h2><p>aaa</p></article><article><h2>Two</h2><p>bbb</p></article>'
  expect(toMarkdown(cleanHtml(articles))).toBe('# FAQ\n\n## One\n\naaa\n\n## Two\n\nbbb')
  const mains = '<main><h1>A</h1><p>aa</p></main><main><h1>B</h1><p>bb</p></main>'
  expect(toMarkdown(cleanHtml(mains))).toBe('# A\n\naa\n\n# B\n\nbb')
})

test('the fragment of a section leads to its heading, whatever stands before it', () => {
  const page = cleanHtml(`<main><h1 id="t">T</h1><h4 id="old">old</h4><p>Old.</p>
    <section id="method.new"><span><a href="s">source</a></span><h4>fn new</h4></section><p>New.</p></main>`)
  expect(page.sections.map(({ id, title }) => [id, title]).slice(1)).toEqual([
    ['old', 'old'],
    ['method.new', 'fn new'],
  ])
})

test('a power stays a power, an ordinal a word', () => {
  expect(
    inMain('<p>2<sup>64</sup>-1, 10<sup>-3</sup>, x<sup>n</sup>, the 1<sup>st</sup></p>'),
  ).toContain('2^64-1, 10^-3, x^n, the 1st')
})

test.each([
  ['a<sub>n+1</sub> = a<sub>n</sub> + 1', 'a_{n+1} = a_n + 1'],
  ['x<sub>12</sub>, log<sub>2</sub>8 and V<sub>max</sub>', 'x_12, log_{2}8 and V_max'],
  ['<i>f</i><sub>i,j</sub>(<b>x</b><sub>0</sub>)', '*f*_{i,j}(**x**_0)'],
  ['H<sub>2</sub>O, Ca(OH)<sub>2</sub> and C<sub>12</sub>', 'H2O, Ca(OH)2 and C12'],
  ['2<sup>n+1</sup>, e<sup>-x/2</sup> and 2<sup>64</sup>', '2^{n+1}, e^{-x/2} and 2^64'],
  ['Price<sub> with tax</sub>', 'Price with tax'],
  ['<code>x<sub>1</sub> 2<sup>10</sup></code>', '`x_1 2^10`'],
])('indices and exponents are told from the text around them: %s', (html, text) => {
  expect(inMain(`<p>${html}</p>`)).toContain(text)
})

test.each([
  ['Hello <img alt="World">', 'Hello World'],
  ['2<sup>10</sup> and x<sub>i</sub>', '2^10 and x_i'],
  ['<img alt="Only a picture">', 'Only a picture'],
  ['<img alt="Python logo"> Python', 'Python'],
  ['<img alt="Python"> Python', 'Python'],
  ['<img alt="a.png"><a href="#x"><img alt="Linked"></a>', 'Linked'],
])('the title %s is "%s"', (html, title) => {
  const { sections } = cleanHtml(`<main><h1>T</h1><p>Text.</p><h2>${html}</h2><p>Below.</p></main>`)
  expect(sections[1]?.title).toBe(title)
})

test('titles are escaped as text is, and a term without a word is no entry', () => {
  expect(toMarkdown(cleanHtml('<main><h2>impl&lt;T&gt; Vec</h2><p>x</p></main>'))).toContain(
    '## impl\\<T> Vec',
  )
  const page = cleanHtml('<main><h1>B</h1><dl><dt></dt><dd><b>| &amp;</b></dd></dl></main>')
  expect(page.sections).toHaveLength(1)
})

test('a < is escaped only where a tag or an address could begin', () => {
  const text = '<p>a < b, &lt;a_b&gt;, &lt;a|b&gt;, Map&lt;f(x)&gt;</p>'
  expect(inMain(text)).toContain('a < b, <a_b>, <a|b>, Map<f(x)>')
  for (const tag of ['number', 'a b_c', '/p', 'https://a_b.org/', 'a_b@c.org', 'a'])
    expect(inMain(`<p>x &lt;${tag}&gt;</p>`)).toContain(`x \\<${tag}`)
})

test('code that follows code is one span', () => {
  expect(
    inMain(
      '<p><code>--to=</code><em class="r"><code>port</code></em> <code>\\\\</code><code>d</code></p>',
    ),
  ).toContain('`--to=port` `\\\\d`')
})

test('tabs are labelled', () => {
  const html = `<div role="tablist"><button role="tab" aria-controls="p1">Bash</button><button role="tab" id="t2">Fish</button></div>
    <div role="tabpanel" id="p1"><pre>export A=1</pre></div>
    <div role="tabpanel" aria-labelledby="t2" hidden><pre>set A 1</pre></div>`
  expect(inMain(html)).toBe(
    '# T\n\nText.\n\n**Bash**\n\n```\nexport A=1\n```\n\n**Fish**\n\n```\nset A 1\n```',
  )
})

test('XHTML may close a tag in itself', () => {
  const xhtml = `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>T</title>
    <script src="a.js"/></head><body><h1>x<a id="y"/></h1><p>Text<br/>here.</p></body></html>`
  expect(toMarkdown(cleanHtml(xhtml))).toBe('# x\n\nText\nhere.')
})

test('an id is not longer than anyone would repeat', () => {
  const page = cleanHtml(`<main><h2 id="${'i'.repeat(30_000)}">Long</h2><p>x</p></main>`)
  expect(page.sections[0]?.id).toHaveLength(200)
})

test.each([
  ['<p><strong>**kwargs</strong></p>', '**\\*\\*kwargs**'],
  ['<p>All <em>advice.*</em> and <em>a/*+b</em></p>', 'All *advice.\\** and *a/\\*+b*'],
  ['<p><b>?</b><i>N</i></p>', '**?**N'],
  ['<p><b>a <strong>b</strong> c</b></p>', '**a b c**'],
  ['<p>*one two* and __init__ and _two words_</p>', '\\*one two* and __init__ and \\_two words_'],
  ['<p>***</p>', '\\***'],
  ['<p>word<a href="#fn1"><sup>1</sup></a></p>', 'word[^1]'],
  ['<p><q>so</q></p>', '"so"'],
  ['<ul><li><input type="checkbox" disabled checked> done</li></ul>', '- [x] done'],
  ['<constructor>kept</constructor>', 'kept'],
  ['<p><code>one</code><code>two</code></p>', '`onetwo`'],
])('%s is %s', (html, markdown) => {
  expect(inMain(html)).toBe(`# T\n\nText.\n\n${markdown}`)
})

test('a title of several lines is one', () => {
  const page = cleanHtml(
    '<main><h2><div>fn is_ok() -> bool</div><div>where F: Fn</div></h2><p>x</p>',
  )
  expect(page.sections[0]?.title).toBe('fn is_ok() -> bool where F: Fn')
})

test('links are relative to what the page says they are', () => {
  const html = '<head><base href="/docs/"></head><main><h1>T</h1><p><a href="a b">x [y</a></p>'
  const page = cleanHtml(html, { links: 'keep', url: 'https://ferry.example/v2/page' })
  expect(toMarkdown(page)).toBe('# T\n\n[x \\[y](https://ferry.example/docs/a%20b)')
})

test.each(['javascript:alert(1)', 'data:text/html,x', 'about:blank'])(
  'a base of %s is none, and a link that runs something is its text',
  (base) => {
    const html = `<head><base href="${base}"></head><main><h1>T</h1><p><a href="x">x</a> <a href="javascript:f()">run</a></p></main>`
    const page = cleanHtml(html, { links: 'keep', url: 'https://ferry.example/v2/page' })
    expect(toMarkdown(page)).toBe('# T\n\n[x](https://ferry.example/v2/x) run')
  },
)

describe('around the content', () => {
  const links = '<ul><li><a href="a">First guide</a></li><li><a href="b">Second guide</a></li></ul>'
  test('a list of links after prose is no trail, one before the title is', () => {
    const prose = '<p>These guides show how ropes are tied, from the first knot to the last.</p>'
    const page = (start: string) =>
      toMarkdown(cleanHtml(`<main>${start}<h1>Knots</h1><p>Text of the section.</p></main>`))
    expect(page(prose + links)).toContain('First guide')
    expect(page(links)).not.toContain('First guide')
  })

  test.each([
    ['Knots: Manual of Ropes', '<h1>Knots</h1>', '# Knots'],
    ['Manual of Ropes: Knots', '<div class="headertitle"><div>Knots</div></div>', '# Knots'],
    ['Ropes – Knots', '<div>Ropes</div><h1>Knots</h1>', '# Knots'],
  ])('the title of the page stays beside sections with titles: %s', (title, before, expected) => {
    const region = '<main><h1>Purpose</h1><p>Text of it.</p><h1>Use</h1><p>More text.</p></main>'
    const html = `<title>${title}</title><body>${before}${region}</body>`
    const markdown = toMarkdown(cleanHtml(html))
    expect(markdown).toContain(expected)
    expect(markdown).not.toContain('# Ropes')
  })

  test('the title of the site goes where the region has that of the page', () => {
    const html =
      '<title>Knots – Ropes</title><body><h1>Ropes</h1><main><h1>Knots</h1><p>Text of it.</p></main></body>'
    expect(toMarkdown(cleanHtml(html))).toBe('# Knots\n\nText of it.')
  })

  test.each(['x-footer', 'my-site-nav', 'rh-header', 'app-side-bar-sidebar'])(
    'a custom element %s is a landmark',
    (tag) => {
      const html = `<body><${tag}><p>All rights of this site are ours, and so are its ropes.</p></${tag}><main><h1>Knots</h1><p>Text of it.</p></main></body>`
      expect(toMarkdown(cleanHtml(html))).toBe('# Knots\n\nText of it.')
    },
  )

  test('an empty element of a class is a gap between the words of a title', () => {
    const { sections } = cleanHtml(
      '<main><h1>Rope<span class="sep"></span>tie</h1><h2>re<span></span>tie</h2><p>x</p></main>',
    )
    expect(sections.map(({ title }) => title)).toEqual(['Rope tie', 'retie'])
  })
})
