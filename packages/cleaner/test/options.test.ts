import { CleanError, cleanHtml, toMarkdown } from '@pith-mcp/cleaner'
import { describe, expect, test } from 'vitest'

const html = `<body><div class="a"><h1>A</h1><p>One.</p><p class="ad">Buy.</p></div>
  <div class="b"><p>Two <a href="/x">links</a> to <a href="/y">pages</a> and <a href="/x">again</a>.</p></div></body>`

describe('selectors', () => {
  test('content takes the place of the main region', () => {
    const page = cleanHtml(html, { content: '.b, .a h1' })
    expect(toMarkdown(page)).toBe('# A\n\nTwo links to pages and again.')
    expect(page.health.reason).toBe('selector')
  })

  test('paragraphs may be the content; they count as kept', () => {
    const html = `<body><nav>${'Menu '.repeat(9)}</nav><p>${'Text. '.repeat(60)}</p><script></script></body>`
    const { health } = cleanHtml(html, { content: 'p' })
    expect(health.kept).toBeGreaterThan(0.8)
    expect(health.suspectedShell).toBe(false)
  })

  test('a selector that matches nothing changes nothing', () => {
    expect(cleanHtml(html, { content: '.none' }).sections).toEqual(cleanHtml(html).sections)
  })

  test('remove takes out what it matches', () => {
    expect(toMarkdown(cleanHtml(html, { remove: '.ad, .b' }))).toBe('# A\n\nOne.')
  })

  test.each(['content', 'remove'])('%s that is no selector is an error that names it', (option) => {
    const clean = () => cleanHtml(html, { [option]: 'p[' })
    expect(clean).toThrow(CleanError)
    expect(clean).toThrow(/"p\["/)
  })
})

test('links by reference have their addresses at the end of the section', () => {
  const page = cleanHtml(html, { links: 'reference', url: 'https://example.org/', remove: '.ad' })
  expect(toMarkdown(page)).toBe(
    [
      '# A',
      'One.',
      'Two [links][1] to [pages][2] and [again][1].',
      '[1]: https://example.org/x\n[2]: https://example.org/y',
    ].join('\n\n'),
  )
})

describe('health', () => {
  test('names the generator', () => {
    const page = '<meta name="generator" content="rustdoc"><main><p>Text.</p></main>'
    expect(cleanHtml(page).health.profile).toBe('rustdoc')
  })

  test('with debug, tells what was left out and by which rule', () => {
    const page = `<main><p>Text.</p><div class="sr-only">hint</div><aside><a href="x">Links</a></aside>
      <p>Was this page helpful?</p><p class="x">gone</p></main>`
    expect(cleanHtml(page, { debug: true, remove: '.x' }).health.removals).toEqual([
      { step: 'noise', rule: '.sr-only', text: 'hint' },
      { step: 'noise', rule: 'links', text: 'Links' },
      { step: 'noise', rule: 'words', text: 'Was this page helpful?' },
      { step: 'selector', rule: '.x', text: 'gone' },
    ])
    expect(cleanHtml(page).health.removals).toBeUndefined()
  })

  test('content outside a thin landmark, or in a box of contents, stays', () => {
    const paragraphs = '<p>A paragraph of the text of this page.</p>'.repeat(40)
    const page = cleanHtml(`<body><main><p>Loading.</p></main><div>${paragraphs}</div></body>`)
    expect(toMarkdown(page)).toContain('A paragraph of the text')
    const hidden = cleanHtml(
      `<main><p>Hello.</p><div class="toc-drawer">${paragraphs}</div></main>`,
    )
    expect(toMarkdown(hidden)).toContain('A paragraph of the text')
  })

  test('a page with more links around it than text does not get them back', () => {
    const links = '<li><a href="x">Another page of the site</a></li>'.repeat(400)
    const text = `<main><h1>T</h1><p>${'Real text of the page. '.repeat(20)}</p></main>`
    const page = cleanHtml(`<body><div class="left"><ul>${links}</ul></div>${text}</body>`)
    expect(toMarkdown(page)).not.toContain('Another page')
    expect(page.health.region).toBe('main')
  })

  test('a table of contents stays where it is most of the page', () => {
    const list = `<div class="toc"><ul>${'<li><a href="x">A chapter of the book</a></li>'.repeat(20)}</ul></div>`
    expect(toMarkdown(cleanHtml(`<main><h1>Book</h1>${list}</main>`))).toContain('A chapter')
    const crumbs = '<p><a href="x">A link that leads elsewhere</a></p>'.repeat(20)
    const brief = `<main><h1>Book</h1><p>What it is about.</p>${list}${crumbs}</main>`
    expect(toMarkdown(cleanHtml(brief))).toContain('A chapter')
    const text = '<p>A paragraph of the text of this page.</p>'.repeat(40)
    expect(toMarkdown(cleanHtml(`<main><h1>Book</h1>${list}${text}</main>`))).not.toContain(
      'A chapter',
    )
  })
})

describe('a rule that would take the page away', () => {
  const page = `<h1>Freight</h1>${'<p>A ferry that carries freight leaves at noon and again at six in the evening, every day but Sunday.</p>'.repeat(20)}`
  const links = '<nav><a href="/">Home</a></nav><div class="pager"><a href="/2">Next</a></div>'

  test.each([
    ['feedback', `<div class="feedback">${page}</div>`, ['.feedback']],
    [
      'one in another',
      `<div id="searchbox"><div class="navbar">${page}</div></div>`,
      ['#searchbox', '.navbar'],
    ],
  ])('is overruled, and named: %s', (_name, html, rules) => {
    const cleaned = cleanHtml(`<body>${links}${html}${links}</body>`)
    expect(cleaned.health.overruled).toEqual(rules)
    expect(toMarkdown(cleaned)).toBe(toMarkdown(cleanHtml(`<main>${page}</main>`)))
  })

  test.each([
    [
      'a shell with a long question about cookies',
      `<div id="app"></div><div class="cookie-consent">${page}</div><script></script>`,
    ],
    ['a footer', `<p>Short.</p><footer>${page}</footer>`],
    [
      'an article with more comments than text',
      `<main><p>${'Text. '.repeat(300)}</p></main><div class="feedback">${page}</div>`,
    ],
  ])('is not: %s', (_name, html) => {
    const cleaned = cleanHtml(`<body>${html}</body>`)
    expect(cleaned.health.overruled).toBeUndefined()
    expect(toMarkdown(cleaned)).not.toContain('freight')
  })
})
