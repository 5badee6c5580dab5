import { CleanError, cleanHtml, subtreeOf, toChunks, toMarkdown } from '@pith-mcp/cleaner'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { createTimeCheck } from '../src/time-check.ts'

const page = cleanHtml(
  '<title>T</title><main><p>Lead.</p><h1 id="a">A</h1><h3 id="b">B</h3><p>b</p><pre>x = 1\ny</pre><h2 id="c">C</h2><p>c</p></main>',
  { url: 'https://example.org/' },
)

describe('sections', () => {
  test('text before the first heading is a section of level 0', () => {
    expect(page.sections[0]).toMatchObject({ id: 'top', level: 0, title: 'T' })
  })

  test('a heading belongs to the nearest heading above it, skipped levels or not', () => {
    expect(page.sections.map(({ id, parent }) => [id, parent])).toEqual([
      ['top', undefined],
      ['a', undefined],
      ['b', 'a'],
      ['c', 'a'],
    ])
  })

  test('a subtree is the section with all it contains', () => {
    const [, a, b] = page.sections
    expect(a && subtreeOf(page, a).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    expect(b && subtreeOf(page, b).map(({ id }) => id)).toEqual(['b'])
  })

  test('equal ids are told apart', () => {
    const { sections } = cleanHtml('<main><h2 id="x">One</h2><p>1</p><h2 id="x">Two</h2></main>')
    expect(sections.map(({ id }) => id)).toEqual(['x', 'x-2'])
  })

  test('a heading inside a definition does not end what is around the list', () => {
    const { sections } = cleanHtml(
      '<main><h1>R</h1><h2>S</h2><dl><dt id="f">f</dt><dd><h2>In</h2><p>x</p></dd></dl><p>after</p></main>',
    )
    expect(sections.map(({ id }) => id)).toEqual(['r', 's', 'f', 'in'])
  })
})

describe('rendering', () => {
  test('chunks concatenate to the Markdown', () => {
    expect(
      toChunks(page)
        .map(({ text }) => text)
        .join(''),
    ).toBe(toMarkdown(page))
  })

  test('a stand-in names language and length', () => {
    const code = (lines: number, width: number) =>
      toChunks(cleanHtml(`<pre>${Array(lines).fill('x'.repeat(width)).join('\n')}</pre>`), {
        code: 'stand-in',
      }).map(({ text, isStandIn = false }) => (isStandIn ? text : 'kept'))
    expect(code(6, 60)).toEqual(['[code, 6 lines]'])
    expect(code(1, 2_000)).toEqual(['[code, 1 line]'])
    expect([...code(5, 60), ...code(9, 10)]).toEqual(['kept', 'kept'])
  })

  test('links keep their absolute address on request', () => {
    const html = '<main><p>See <a href="../b (c).html">there</a>.</p></main>'
    const linked = cleanHtml(html, { url: 'https://example.org/x/a.html', links: 'keep' })
    expect(toMarkdown(linked)).toBe('See [there](https://example.org/b%20%28c%29.html).')
  })
})

describe('health', () => {
  test('says which element was kept and how much of the page', () => {
    const { health } = cleanHtml('<nav>12345</nav><main id="m" class="x"><p>abcde</p></main>')
    expect(health).toEqual({
      region: 'main#m.x',
      reason: 'landmark',
      kept: 0.5,
      suspectedShell: false,
    })
  })

  test('suspects a page that only scripts can fill', () => {
    const { health } = cleanHtml('<div id="root"></div><script src="app.js"></script>')
    expect(health.suspectedShell).toBe(true)
  })
})

describe('bounds', () => {
  test('an input past the limit is an error that names both', () => {
    const clean = () => cleanHtml('<p>too long</p>', { maxLength: 10 })
    expect(clean).toThrow(CleanError)
    expect(clean).toThrow(/15 characters; the limit is 10/)
  })

  test('more elements than the limit are an error', () => {
    const clean = () => cleanHtml('<p>x'.repeat(100), { maxElements: 50 })
    expect(clean).toThrow(/more than 50 elements/)
  })

  test.each(['<p>x', '<main><b>x</b></main>'])(
    'more time than the limit is an error: %s',
    (html) => {
      const clean = () => cleanHtml(html.repeat(2000), { maxTime: 0 })
      expect(clean).toThrow(CleanError)
      expect(clean).toThrow(/has taken \d+ ms; the limit is 0\. Raise `maxTime`/)
    },
  )

  test('within the limit, a check of the time asks the system for no processor time', () => {
    const cpuUsage = vi.spyOn(process, 'cpuUsage')
    const check = createTimeCheck()
    const before = cpuUsage.mock.calls.length
    check()
    expect(cpuUsage.mock.calls.length).toBe(before)
    cpuUsage.mockRestore()
  })

  test('the limit counts the time of the work, not that of the clock on the wall', () => {
    let worked = 10
    const check = createTimeCheck(50, () => worked)
    worked = 60
    expect(check).not.toThrow()
    worked = 62
    expect(check).toThrow(/has taken 52 ms/)
  })

  test.each(['div', 'b', 'ul><li', 'blockquote', 'table><tr><td', 'span', 'dl><dd', 'pre'])(
    'survives %s nested 10,000 deep, and keeps its text',
    (tag) => {
      const html = `<main><p>before</p>${`<${tag}>`.repeat(10_000)}deep${'<p>after</p>'}</main>`
      const text = toMarkdown(cleanHtml(html))
      expect(text).toContain('before')
      expect(text).toContain('deep')
    },
  )

  test('a table may not ask for a million columns', () => {
    const html = '<main><table><tr><td colspan="1000000">a</td><td>b</td></tr></table></main>'
    expect(toMarkdown(cleanHtml(html)).length).toBeLessThan(1000)
  })

  test('long runs of special characters take no longer than others', () => {
    for (const character of ['*', '`', '<', '\\', '|', '#', '_', '>'])
      expect(toMarkdown(cleanHtml(`<main><p>${character.repeat(200_000)}`)).length).toBeGreaterThan(
        0,
      )
  })
})

test('any soup of tags gives a page whose text was in the soup, and not more often', () => {
  const tag = fc.constantFrom(
    ...'p,div,ul,li,ol,table,tr,td,th,pre,code,b,em,a,dl,dt,dd,h1,h2,h3,blockquote,section,br,form'.split(
      ',',
    ),
  )
  const part = fc.oneof(
    tag.map((name) => `<${name}>`),
    tag.map((name) => `</${name}>`),
    tag.map((name) => `<${name} id="i" class="note" hidden>`),
    fc.constantFrom('one', 'two ', ' three', '\n', '*', '`', '|', '&lt;x&gt;', '> '),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
      const soup = parts.join('')
      const text = toMarkdown(cleanHtml(soup))
      for (const word of ['one', 'two', 'three'])
        expect(text.split(word).length).toBeLessThanOrEqual(soup.split(word).length)
      expect(text.replace(/one|two|three|<br>/g, '')).not.toMatch(/[a-wy-z]/)
    }),
    { numRuns: 500 },
  )
})

describe('names that objects have of their own', () => {
  const names = [
    'constructor',
    '__proto__',
    'toString',
    'hasOwnProperty',
    'valueOf',
    'isPrototypeOf',
  ]

  test.each(names)('%s may be an attribute, a tag, a class, an id or a language', (name) => {
    const html = `<main><h1 id="${name}" ${name}="1">Title</h1><p ${name} class="${name}">First.</p>
      <${name}>Second.</${name}><svg ${name}="1"></svg><pre><code class="language-${name}">x</code></pre></main>`
    const text = toMarkdown(cleanHtml(html))
    for (const said of ['# Title', 'First.', 'Second.']) expect(text).toContain(said)
    expect(cleanHtml(`<p ${name}>x</p>`).sections[0]?.blocks[0]?.markdown).toBe('x')
  })
})

describe('a rule by class', () => {
  test.each([
    ['MDN', '<h2 id="a"><a class="heading-anchor" href="#a">Making a request</a></h2>'],
    [
      'VuePress 2',
      '<h2 id="a"><a class="header-anchor" href="#a"><span>Making a request</span></a></h2>',
    ],
    ['a class of its own', '<h2 id="a"><span class="sr-only">Making a request</span></h2>'],
    [
      'a term',
      '<dl><dt id="a"><a class="permalink" href="#a">Making a request</a></dt><dd>d</dd></dl>',
    ],
    [
      'a term of its own',
      '<dl><dt id="a" class="toc feedback">Making a request</dt><dd>d</dd></dl>',
    ],
  ])('leaves the only text of a heading or term: %s', (_, title) => {
    const { sections } = cleanHtml(`<main><h1>T</h1><p>Lead.</p>${title}<p>Body.</p></main>`)
    expect(sections.find(({ id }) => id === 'a')?.title).toBe('Making a request')
  })

  test('takes the permalink next to the text, and a heading that is nothing else', () => {
    const nextTo = '<h2 id="a">Request <a class="headerlink" href="#a">¶</a></h2>'
    const alone = '<h2 id="b"><a class="headerlink" href="#b">¶</a></h2>'
    const text = toMarkdown(cleanHtml(`<main><h1>T</h1>${nextTo}<p>x</p>${alone}<p>y</p></main>`))
    expect(text).toContain('## Request\n')
    expect(text).not.toContain('¶')
  })

  test.each([
    '<a href="#page-header"><img src="up.gif" alt="top" /></a>',
    '<a href="#"><img src="up.gif" alt="" /></a>',
    '<a href="#top">▲</a>',
    '<a href="#top"><svg></svg></a>',
  ])('takes an arrow to the top of the page: %s', (link) => {
    const page = cleanHtml(`<main><h1>T</h1><p>Before.</p><div>${link}</div><p>After.</p></main>`)
    expect(toMarkdown(page)).toBe('# T\n\nBefore.\n\nAfter.')
  })

  test.each([
    ['<a href="#top">top</a>', 'top'],
    ['<a href="#"><img src="a.png" alt="Plan of the hull" /></a>', 'Plan of the hull'],
    ['<a href="#up"><img src="a.png" alt="up" /></a>', 'up'],
    ['<a href="#top">1</a>', '1'],
  ])('leaves other links: %s', (link, text) => {
    expect(toMarkdown(cleanHtml(`<main><p>See ${link}.</p></main>`))).toContain(text)
  })

  test('leaves a formula that has no other source, once', () => {
    const mml = (x: string) => `<math><mi>${x}</mi><mo>=</mo><mn>1</mn></math>`
    const chtml = (x: string) =>
      `<mjx-container class="MathJax" jax="CHTML"><mjx-math aria-hidden="true"></mjx-math><mjx-assistive-mml>${mml(x)}</mjx-assistive-mml></mjx-container>`
    const text = toMarkdown(
      cleanHtml(`<main><h1>T</h1><p>First ${chtml('a')}, then ${chtml('b')}.</p>
        <p>Old <span class="MathJax_Preview">c</span><span class="MathJax">c</span> end.</p></main>`),
    )
    expect(text).toContain('First $a=1$, then $b=1$.')
    expect(text).toContain('Old $c$ end.')
  })

  test('leaves a short page, however it is hidden', () => {
    const text = 'この頁は短い。'.repeat(20)
    for (const body of [
      `<body hidden><h1>題</h1><p>${text}</p></body>`,
      `<body><div style="display:none"><h1>題</h1><p>${text}</p></div></body>`,
      `<body><div class="toc feedback"><p>${text}</p></div></body>`,
    ]) {
      const page = cleanHtml(`<html>${body}</html>`)
      expect(toMarkdown(page)).toContain(text)
      expect(page.health.overruled?.length).toBeGreaterThan(0)
    }
  })
})

test('a page with several headings of the first level has its stated title', () => {
  const chapters = (first: string) =>
    cleanHtml(`<title>UPSERT</title><main><h1>${first}</h1><p>a</p><h1>2. Use</h1><p>b</p></main>`)
  expect(chapters('1. Syntax').title).toBe('UPSERT')
  expect(chapters('Syntax').title).toBe('UPSERT')
  const untitled = cleanHtml('<main><h1>lock</h1><p>a</p><h1>open</h1><p>b</p></main>')
  expect(untitled.title).toBe('lock')
})
