import { cleanHtml, toMarkdown } from '@pith-mcp/cleaner'
import { describe, expect, test } from 'vitest'

const inMain = (html: string): string =>
  toMarkdown(cleanHtml(`<main><h1>T</h1>${html}</main>`)).replace(/^# T\n\n/, '')

describe('markers of lists', () => {
  test.each([
    [
      'items in elements that no list may contain',
      '<ol><section><span><li>Load</li></span></section><li>Sail</li></ol>',
      '1. Load\n2. Sail',
    ],
    [
      'a list between items is below the item before it',
      '<ol start="9"><li>Load</li><li>Sail</li><ul><li>east</li></ul><li>Moor</li></ol>',
      '9. Load\n10. Sail\n    - east\n11. Moor',
    ],
    [
      'a nested list is as deep as the marker is wide',
      '<ol start="99"><li>a</li><li>b<ol type="i"><li>c</li><li>d</li></ol></li></ol>',
      '99. a\n100. b\n     - i. c\n     - ii. d',
    ],
    [
      'values start the count again',
      '<ol><li>a</li><li value="5">b</li><li>c</li></ol>',
      '1. a\n5. b\n6. c',
    ],
    ['a reversed list counts down', '<ol reversed><li>a</li><li>b</li></ol>', '2. a\n1. b'],
    [
      'a reversed list counts down from its start',
      '<ol reversed start="0"><li>a</li><li>b</li></ol>',
      '0. a\n- -1. b',
    ],
    ['capitals', '<ol type="A" start="26"><li>a</li><li>b</li></ol>', '- Z. a\n- AA. b'],
    ['Roman numerals', '<ol type="I" start="1994"><li>a</li></ol>', '- MCMXCIV. a'],
    [
      'a style of the list and a type of an item',
      '<ol style="list-style: inside lower-roman"><li>a</li><li type="1">b</li></ol>',
      '- i. a\n2. b',
    ],
    ['a numbered list with bullets', '<ol style="list-style-type:disc"><li>a</li></ol>', '- a'],
    [
      'a list with numbers by style',
      '<ul style="list-style-type: decimal"><li>a</li></ul>',
      '1. a',
    ],
    ['items without a list', '<div><li>a</li> <li>b</li></div><p>End.</p>', '- a\n- b\n\nEnd.'],
    ['a number that is none', '<ol start="x"><li value="">a</li></ol>', '1. a'],
  ])('%s', (_name, html, expected) => {
    expect(inMain(html)).toBe(expected)
  })
})

describe('tables without tags', () => {
  test.each([
    [
      'roles, in groups, with spans',
      `<section role="treegrid"><p>Ports</p><div role="rowgroup"><div role="row"><div><b role="columnheader">Port</b></div><b role="columnheader">Ships</b></div></div>
      <ul role="rowgroup"><li role="row"><i role="rowheader">Kiel</i><i role="gridcell">4</i></li><li role="row"><i role="cell" aria-colspan="2">closed</i></li></ul></section>`,
      'Ports\n\n|Port|Ships|\n|-|-|\n|*Kiel*|4|\n|*closed*|',
    ],
    [
      'styles',
      '<div style="display: table"><p style="display:table-row"><span style="display:table-cell">Kiel</span><span style="display:table-cell">4</span></p></div>',
      '|||\n|-|-|\n|Kiel|4|',
    ],
  ])('%s', (_name, html, expected) => {
    expect(inMain(html)).toBe(expected.replaceAll('*', ''))
  })
})

describe('cells that Markdown cannot write', () => {
  const table = (cell: string) =>
    `<table><tr><th>Key</th><th>Meaning</th></tr><tr><td>a</td><td>${cell}</td></tr></table>`
  test.each([
    ['code', '<pre>x = 1\n\ny = `z`</pre>', '`x = 1`<br><br>`` y = `z` ``'],
    ['a table', '<table><tr><td>p</td><td>q</td></tr><tr><td>r</td></tr></table>', 'p, q<br>r'],
    ['terms', '<dl><dt>p</dt><dd>one</dd><dt>q</dt><dd>two</dd></dl>', '**p**: one<br>**q**: two'],
    ['a heading', '<h4 id="h">Note</h4><p>Text.</p>', '**Note**<br>Text.'],
    ['a list', '<ol type="a"><li>p</li><li>q</li></ol>', '- a. p<br>- b. q'],
  ])('are shorter: %s', (_name, cell, expected) => {
    expect(inMain(table(cell))).toBe(`|Key|Meaning|\n|-|-|\n|a|${expected}|`)
  })

  test('without a header, in rows that repeat', () => {
    const row = (key: string) => `<tr><td>${key}</td><td><pre>x\n${key}</pre></td></tr>`
    expect(inMain(`<table>${row('a')}${row('b')}${row('c')}</table>`)).toContain('|b|`x`<br>`b`|')
  })

  test('a cell longer than a screen stays code', () => {
    expect(inMain(table(`<pre>${'line\n'.repeat(40)}</pre>`))).toContain('```\nline\nline\n')
  })
})

test('columns of a layout keep their headings, and a heading in a row of its own is a cell', () => {
  const column = (name: string) => `<td><h3>${name}</h3><p>Open.</p></td>`
  const columns = inMain(`<table><tr>${column('Kiel')}${column('Nordby')}</tr></table>`)
  expect(columns).toBe('### Kiel\n\nOpen.\n\n### Nordby\n\nOpen.')
  const row = '<tr><td>Kiel</td><td>4</td></tr>'
  const table = inMain(`<table><tr><td><h3>Ports</h3></td></tr>${row}</table>`)
  expect(table).toContain('|Kiel|4|')
})

describe('line numbers', () => {
  const code = '```\nif x:\n    y\n```'
  const lines = ['if x:', '    y']
  const inPre = (line: (text: string, number: number) => string): string =>
    `<pre>${lines.map((text, at) => line(text, at + 8)).join('')}</pre>`
  test.each([
    [
      'by style',
      inPre((text, n) => `<span style="-webkit-user-select: none">${n}</span>${text}\n`),
    ],
    ['by class', inPre((text, n) => `<i class="code-lineno">${n}. </i>${text}\n`)],
    ['by attribute', inPre((text, n) => `<i data-line-number="${n}">${n}</i>${text}\n`)],
    ['with the space after them', inPre((text, n) => `<i class="ln">${n}</i> ${text}\n`)],
    ['as first of two boxes', inPre((text, n) => `<div><b>${n}</b><code>${text}</code></div>`)],
    [
      'as a column of cells',
      `<div class="highlight"><table>${lines.map((text, at) => `<tr><td>${at + 1}</td><td><code>${text}</code></td></tr>`).join('')}</table></div>`,
    ],
    [
      'as one cell',
      `<table><tr><td><pre>1\n2</pre></td><td><pre>${lines.join('\n')}</pre></td></tr></table>`,
    ],
    [
      'by style of cells',
      `<table>${lines.map((text, at) => `<tr><td data-line="${at}"></td><td style="white-space: pre-wrap">${text}</td></tr>`).join('')}</table>`,
    ],
  ])('are no code: %s', (_name, html) => {
    expect(inMain(html)).toBe(code)
  })

  test.each([
    ['numbers of the code', '<pre><i class="mi">1</i>,\n<i class="mi">2</i>,\n</pre>', '1,\n2,'],
    ['numbers in any order', '<pre><i class="ln">4</i>a\n<i class="ln">2</i>b</pre>', '4a\n2b'],
    ['a number in a line of many', '<pre><i class="ln">1</i>a\nb\nc\nd</pre>', '1a\nb\nc\nd'],
    ['colored numbers', '<pre><div><i style="color:red">1</i><i>,</i></div></pre>', '1,'],
  ])('stay: %s', (_name, html, text) => {
    expect(inMain(html)).toBe(`\`\`\`\n${text}\n\`\`\``)
  })

  test('numbers and code in a table of data stay cells', () => {
    const html =
      '<table><tr><td>1</td><td><code>busy</code></td></tr><tr><td>2</td><td><code>gone</code></td></tr></table>'
    expect(inMain(html)).toBe('|||\n|-|-|\n|1|`busy`|\n|2|`gone`|')
  })
})

test.each(['ts', 'py', 'tsx', 'rb', 'kt', 'yml'])('%s is a language as a class of code', (name) => {
  expect(inMain(`<pre><code class="${name}">x</code></pre>`)).toBe(`\`\`\`${name}\nx\n\`\`\``)
  expect(inMain(`<div class="${name}"><pre>x</pre></div>`)).toBe('```\nx\n```')
})
