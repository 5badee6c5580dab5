import { cleanHtml, toMarkdown } from '@pith-mcp/cleaner'
import { describe, expect, test } from 'vitest'

const textOf = (html: string) => toMarkdown(cleanHtml(html))
const inMain = (html: string) => textOf(`<main><h1>Boats</h1><p>About boats.</p>${html}</main>`)
const paragraphs = (count: number) =>
  `<p>The crew of each boat checks the engine, the lights and the ropes before it leaves.</p>`.repeat(
    count,
  )

describe('a page without a landmark keeps', () => {
  test.each([
    [
      'a title and a notice above a long text',
      '<h2>Rules</h2><p>Withdrawn in May.</p>',
      'Withdrawn in May.',
    ],
    ['a short box next to a long one', '<div><p>Only for sailors.</p></div>', 'Only for sailors.'],
    ['text without an element', 'Since 2019.', 'Since 2019.'],
  ])('%s', (_what, html, text) => {
    expect(textOf(`<body>${html}<div>${paragraphs(12)}</div></body>`)).toContain(text)
  })

  test('a list of links after its introduction', () => {
    const links = '<li><a href="b.html">Boat type</a></li>'.repeat(12)
    const page = `<div><p>All types, by name.</p></div><div><ul>${links}</ul></div>`
    expect(textOf(`<body>${page}</body>`)).toContain('Boat type')
  })

  test('a table with its header, and links in cells', () => {
    const row =
      '<tr><td>mast</td><td>Holds the sail, and carries the flag and the lights.</td></tr>'
    const table = `<table><tr><th>Part</th><th>Use</th></tr>${row.repeat(4)}</table>`
    expect(textOf(`<body><div>${table}</div></body>`)).toContain('|Part|Use|')
    const links = '<table><tr><th>Port</th></tr><tr><td><a href="n">Nordby</a></td></tr></table>'
    expect(textOf(`<body>${links}</body>`)).toContain('Nordby')
  })

  test('a list of links that is longer than the text after it', () => {
    const links = '<li><a href="b.html">Boat type</a></li>'.repeat(12)
    const page = `<div><ul>${links}</ul></div><div><p>These are all types.</p></div>`
    expect(textOf(`<body>${page}</body>`)).toContain('Boat type')
  })

  test('but not the list of the pages of the site', () => {
    const links = '<li><a href="b.html">Another page</a></li>'.repeat(30)
    const list = `<div class="tocframe"><ul>${links}</ul></div>`
    expect(textOf(`<body>${list}<div>${paragraphs(4)}</div></body>`)).not.toContain('Another page')
  })
})

describe('next to a landmark', () => {
  const page = (html: string) => `<body>${html}<main><h2>Use</h2>${paragraphs(3)}</main></body>`

  test('a heading and a sentence stay', () => {
    const text = textOf(
      page('<div><h1>Ferries</h1></div><div><p>No longer maintained since 2024.</p></div>'),
    )
    expect(text).toMatch(/^# Ferries\n\nNo longer maintained since 2024\./)
  })

  test('labels are counted as left out', () => {
    const { health } = cleanHtml(page('<div><p>Nordby</p></div>'))
    expect(health.leftOut).toEqual({ blocks: 1, characters: 6 })
    expect(cleanHtml(page('')).health.leftOut).toBeUndefined()
  })

  test.each([
    ['links', '<ul><li><a href="/">Home</a></li></ul>'],
    ['legal notice', '<div><p>Copyright 2024 the harbour, all rights reserved.</p></div>'],
    ['made by', '<p>Generated with Quill 3</p>'],
    ['edition', '<p>Version 3.2</p>'],
    ['consent', '<div><p>We use cookies to count you.</p></div>'],
    ['box of the site', '<div class="top-banner"><p>Come to our conference in June!</p></div>'],
  ])('furniture has a rule: %s', (rule, html) => {
    const { removals } = cleanHtml(page(html), { debug: true }).health
    expect(removals?.map((removal) => removal.rule)).toContain(rule)
  })
})

describe('what a click shows stays', () => {
  test.each([
    [
      'a panel that a button controls',
      '<h3><button aria-controls="a">Cost?</button></h3><div id="a" hidden><p>Ten.</p></div>',
      '### Cost?\n\nTen.',
    ],
    [
      'a panel after its question',
      '<h3>Cost?</h3><div style="display:none"><p>Ten.</p></div>',
      'Ten.',
    ],
    [
      'what a link leads to',
      '<p><a href="#n">Note</a></p><div id="n" hidden><p>Ten.</p></div>',
      'Ten.',
    ],
    [
      'a text of its own',
      `<div hidden>${'<p>Boats need a mooring that holds.</p>'.repeat(8)}</div>`,
      'a mooring',
    ],
    [
      'text that is not read aloud',
      '<div aria-hidden="true"><p>Tides turn every six hours, or nearly.</p></div>',
      'Tides turn',
    ],
    [
      'a note in a sentence',
      '<p>At most 12<span>2<span style="display:none">Ten in winter only</span></span> boats.</p>',
      '12 [2: Ten in winter only] boats',
    ],
  ])('%s', (_what, html, text) => {
    expect(inMain(html)).toContain(text)
  })

  test.each([
    [
      'a menu',
      '<button aria-controls="m">Go</button><ul id="m" role="menu" hidden><li>Elsewhere</li></ul>',
    ],
    ['a dialog', '<div class="modal" style="display:none"><p>Sign up for Elsewhere</p></div>'],
    ['a repetition', '<p>Elsewhere the tides differ.</p><p hidden>Elsewhere the tides differ.</p>'],
  ])('%s does not', (_what, html) => {
    expect(inMain(html).match(/Elsewhere/g)?.length ?? 0).toBeLessThan(2)
    expect(inMain(html)).not.toContain('Sign up')
  })
})

test('contents are left out next to a text of 300 characters, and stay next to a shorter one', () => {
  const links = `<li><a href="b.html">${'c'.repeat(35)}</a></li>`.repeat(10)
  const isLeftOut = (length: number) =>
    !textOf(
      `<main><h1>T</h1><div class="toc"><ul>${links}</ul></div><p>${'x'.repeat(length - 1)}</p>
      <p><a href="z.html">${'z'.repeat(100)}</a></p></main>`,
    ).includes('ccc')
  expect([299, 300].map(isLeftOut)).toEqual([false, true])
})

test.each([
  ['only screen readers skip', 'aria-hidden="true"', 20],
  ['is hidden', 'hidden', 200],
])('a text that %s is shown if it has more than %3$i characters', (_what, attribute, most) => {
  const isShown = (length: number) =>
    inMain(`<div ${attribute}><p>${'x'.repeat(length)}</p></div>`).includes('xxx')
  expect([most, most + 1].map(isShown)).toEqual([false, true])
})

test('a section for feedback is left out up to 500 characters, and stays if it is longer', () => {
  const isLeftOut = (length: number) =>
    !inMain(`${paragraphs(9)}<h2>Feedback</h2><p>${'x'.repeat(length)}</p>`).includes('xxx')
  expect([500, 501].map((length) => isLeftOut(length - 'Feedback'.length))).toEqual([true, false])
})

test('preformatted text is a manual with 2.2 times as many lines of prose as of code', () => {
  const isManual = (prose: number) => {
    const lines = 'The crew checks the engine before it leaves.\n'.repeat(prose)
    return !textOf(`<body><pre>${lines}${'x = y;\n'.repeat(10)}</pre></body>`).includes('```')
  }
  expect([22, 23].map(isManual)).toEqual([false, true])
})

test('elements are kept up to a depth of 512, as in browsers', () => {
  const emphasisAt = (depth: number) =>
    // `html`, `body` and `main` are around them.
    textOf(`<main>${'<div>'.repeat(depth - 4)}<b>deep</b>`)
  expect(emphasisAt(512)).toContain('**deep**')
  expect(emphasisAt(513)).toBe('deep')
})

describe('words of buttons', () => {
  test.each([
    [
      'in a cell',
      '<table><tr><th>Key</th></tr><tr><td><button>F7</button></td></tr></table>',
      'F7',
    ],
    ['in a summary', '<details><summary><button>Show</button></summary>x</details>', 'Show'],
    [
      'above what they open',
      '<div class="acc"><button>Spare oars</button><div><p>Two.</p></div></div>',
      '**Spare oars**',
    ],
    ['of forms', '<p>Press <input type="submit" value="Sail"> now.</p>', 'Press Sail now.'],
    [
      'in a sentence',
      '<p>Press <button>Start</button>, then <button>Copy</button>.</p>',
      'Press Start, then Copy.',
    ],
    ['in a heading', '<h2><button>Which boat?</button></h2>', '## Which boat?'],
    ['in a term', '<dl><dt><button>Keel</button></dt><dd>Below.</dd></dl>', 'Keel'],
    [
      'that head an operation',
      '<div><button><span>PUT</span><span>/boats</span></button><p>Adds one.</p></div>',
      '**PUT /boats**',
    ],
  ])('stay: %s', (_where, html, text) => {
    expect(inMain(html)).toContain(text)
  })

  test.each([
    '<div><button>Share</button></div>',
    '<p>npm install boat <button>Copy</button></p>',
    '<h2>Rigging <button class="copy-link">Link</button></h2>',
  ])('go: %s', (html) => {
    expect(inMain(html)).not.toMatch(/Share|Copy|Link/)
  })
})

test.each([
  ['a listing in a form', '<textarea readonly>sail = up</textarea>', 'sail = up'],
  ['an open dialog', '<dialog open><p>Mind the boom.</p></dialog>', 'Mind the boom.'],
])('%s is text', (_what, html, text) => {
  expect(inMain(html)).toContain(text)
})

describe('a box is not judged by its name alone', () => {
  test.each([
    '<div class="section" id="table-of-contents"><h2>Table of contents</h2><p>Lists the headings.</p></div>',
    '<div class="pagination"><h2>Pagination</h2><p>Lists the headings.</p></div>',
    '<section id="toc"><h2>TOC</h2><p>Lists the headings.</p></section>',
  ])('%s', (html) => {
    expect(inMain(html)).toContain('Lists the headings.')
  })

  test('teasers before the text do not take it with them', () => {
    const teasers = '<div><h2>Related articles</h2><p>How to choose a boat.</p></div>'
    expect(textOf(`<body>${teasers}<div><h1>Knots</h1><p>Tie them.</p></div></body>`)).toBe(
      '## Related articles\n\nHow to choose a boat.\n\n# Knots\n\nTie them.',
    )
  })
})

test.each([
  ['a label', '<svg aria-label="Included"></svg>', 'Included'],
  ['a title', '<svg><title>Missing</title></svg>', 'Missing'],
  [
    'text for screen readers',
    '<i class="icon"></i><span class="visually-hidden">Soon</span>',
    'Soon',
  ],
  ['a class', '<i class="fa fa-check"></i>', '✓'],
  ['a drawing', '<svg><use href="#icon-check"></use></svg>', '✓'],
  ['another class', '<span class="icon-times"></span>', '✗'],
])('an icon in a cell says yes or no by %s', (_how, icon, mark) => {
  const table = `<table><tr><th>Plan</th><th>Sail</th></tr><tr><td>Small</td><td>${icon}</td></tr></table>`
  expect(inMain(table)).toContain(`|Small|${mark}|`)
})

describe('tabs without ids are labelled in their order', () => {
  const tabs = '<li role="tab">Sail</li><li role="tab">Oar</li>'
  test.each([
    [
      'panels by role',
      `<div><ul role="tablist">${tabs}</ul><div role="tabpanel"><p>Wind.</p></div><div role="tabpanel" hidden><p>Arms.</p></div></div>`,
    ],
    [
      'panels in a box',
      `<div><ul role="tablist">${tabs}</ul><div><div><p>Wind.</p></div><div hidden><p>Arms.</p></div></div></div>`,
    ],
    [
      'radio buttons',
      '<div><input type="radio"><input type="radio"><div><label>Sail</label><label>Oar</label></div><div><div><p>Wind.</p></div><div><p>Arms.</p></div></div></div>',
    ],
    [
      'links by class',
      '<div class="box"><ul class="nav-tabs"><li><a href="#x">Sail</a></li><li><a href="#y">Oar</a></li></ul><div class="tab-content"><div id="x"><p>Wind.</p></div><div id="y"><p>Arms.</p></div></div></div>',
    ],
  ])('%s', (_how, html) => {
    expect(inMain(html)).toContain('**Sail**\n\nWind.\n\n**Oar**\n\nArms.')
  })
})

test('a list of tabs without panels stays next to one with panels', () => {
  const tab = (label: string, pane: string) => `<a role="tab" href="#${pane}">${label}</a>`
  const lists = `<div role="tablist">${tab('Sail', 'x')}</div><div role="tabpanel" id="x">Wind.</div>
    <div role="tablist">${tab('Anchor', 'y')}</div>`
  expect(inMain(lists)).toContain('Anchor')
})

test.each([
  ['hidden parts of a sentence', 'Tides <span hidden>come and go</span> '],
  ['buttons next to each other', '<button aria-expanded="false">What now</button>'],
])('the time for %s is in proportion to their number', (_what, html) => {
  // With time in the square of the number, this is past the limit of processor time.
  expect(() =>
    cleanHtml(`<main><p>${html.repeat(16_000)}</p></main>`, { maxTime: 10_000 }),
  ).not.toThrow()
})
