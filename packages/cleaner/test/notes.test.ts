import { cleanHtml, toMarkdown } from '@pith-mcp/cleaner'
import { describe, expect, test } from 'vitest'

const inMain = (html: string): string =>
  toMarkdown(cleanHtml(`<main><h1>T</h1>${html}</main>`)).replace(/^# T\n\n/, '')

// A reference and a note, as generators write them.
test.each([
  [
    'items with a sign back',
    '<p>Sail<sup id="r"><a href="#n">1</a></sup>.</p><ol><li id="n">Not in fog. <a href="#r">Back</a></li></ol>',
  ],
  [
    'brackets around the number',
    '<p>Sail<sup>[<a href="#n" id="r">1</a>]</sup>.</p><div id="n"><a href="#r">1</a>. Not in fog.</div>',
  ],
  [
    'an anchor in the note',
    '<p>Sail<a href="#n" name="r"><sup>1</sup></a>.</p><p><a id="n" href="#r">[1]</a> Not in fog.</p>',
  ],
  [
    'a role',
    '<p>Sail<a role="doc-noteref" href="#n" id="r">1</a>.</p><aside id="n"><span>[<a href="#r">1</a>]</span><p>Not in fog.</p></aside>',
  ],
  [
    'a list of terms',
    '<p>Sail<a class="footnote-reference" href="#n" id="r">[1]</a>.</p><dl><dt id="n"><a href="#r">1</a></dt><dd><p>Not in fog.</p></dd></dl>',
  ],
  [
    'a table',
    '<p>Sail<a class="footnote-reference" href="#n" id="r">[1]</a>.</p><table id="n"><tr><td><a href="#r">[1]</a></td><td>Not in fog.</td></tr></table>',
  ],
  [
    'no links, below a heading',
    '<p>Sail<sup>1</sup>.</p><h6>Notes</h6><ol><li>Not in fog.</li></ol>',
  ],
  [
    'no links, in a box by name',
    '<p>Sail<sup>1</sup>.</p><div class="PageFootnotes_x1Yz"><p>[1] Not in fog.</p></div>',
  ],
])('a note is written as one: %s', (_name, html) => {
  const markdown = inMain(html).replace(/#+ Notes\n\n/, '')
  expect(markdown).toBe('Sail[^1].\n\n[^1]: Not in fog.')
})

test('notes in one box', () => {
  const markdown =
    inMain(`<p>Sail<sup><a href="#n1">1</a></sup>, moor<sup><a href="#n2">2</a></sup>.</p>
    <div><p id="n1">1. Not in fog.</p><p id="n2">2. Wait.</p></div><ol><li><p id="n3">x</p></li></ol>`)
  expect(markdown).toBe('Sail[^1], moor[^2].\n\n[^1]: Not in fog.\n\n[^2]: Wait.\n\n1. x')
})

test('a note of several paragraphs, several references and several notes', () => {
  const markdown =
    inMain(`<p>Sail<sup><a id="r1" href="#n1">1</a>, <a href="#n2">2</a></sup>. Moor<sup><a id="r2" href="#n1">1</a></sup>.</p>
    <ol><li id="n1"><p>Not in fog.</p><p>Nor at night. <a href="#r1">↑</a> <a href="#r2">↑</a></p></li><li id="n2">Wait.</li></ol>`)
  expect(markdown).toBe(
    'Sail[^1][^2]. Moor[^1].\n\n[^1]: Not in fog.\n\n    Nor at night.\n[^2]: Wait.',
  )
})

describe('notes outside of the article', () => {
  const text =
    '<p>Each ship has a place of its own in the harbour, which its number says.</p>'.repeat(3)
  const page = (mark: string, notes: string) =>
    toMarkdown(
      cleanHtml(
        `<body><div><article><h1>T</h1>${text}<p>Sail${mark}.</p></article></div><footer><i>x</i></footer><div>${notes}</div></body>`,
      ),
    )

  test.each([
    ['<sup>*</sup>', '<section class="entry-footnotes"><p>* Not in fog.</p></section>', '*'],
    ['<sup>1</sup>', '<div><h3>Endnotes</h3><ol><li>Not in fog.</li></ol></div>', '1'],
    ['<sup>2</sup>', '<div class="x__endnotes"><div><sup>2</sup> Not in fog.</div></div>', '2'],
  ])('%s leads to %s', (mark, notes, label) => {
    expect(page(mark, notes)).toContain(`Sail[^${label}].`)
    expect(page(mark, notes)).toContain(`[^${label}]: Not in fog.`)
  })

  test('are a list if the article has no mark for them', () => {
    const notes = '<div><h3>Notes</h3><ol><li>Not in fog.</li></ol></div>'
    expect(page('', notes)).toContain('1. Not in fog.')
  })
})

test.each([
  ['<p>10 m<sup>2</sup></p><h2>Notes</h2><ol><li>a</li><li>b</li></ol>', '10 m^2'],
  ['<p>Sail</p><h2>Notes</h2><ol><li>a</li></ol>', '1. a'],
  [
    '<p>Sail<sup><a href="#n">1</a></sup></p><div id="n"><h2>Part</h2><p>x</p></div>',
    '## Part\n\nx',
  ],
])('what is no note stays: %s', (html, text) => {
  expect(inMain(html)).toContain(text)
})

test.each([
  '<p><a id="m" href="#r">1</a> First.<br><a id="n" href="#s">2</a> Second<br>in two lines.</p>',
  '<div><sup id="m">1</sup> First. <sup id="n">2</sup> Second<br>in two lines.</div>',
  '<p><span id="m"></span>First.<br/><br/><span id="n"></span>Second<br>in two lines.</p>',
])('each of several notes of a block is its own: %s', (notes) => {
  const marks =
    '<p>A<sup><a href="#m" id="r">1</a></sup>. B<sup><a href="#n" id="s">2</a></sup>.</p>'
  const markdown = inMain(`${marks}${notes}`)
  expect(markdown).toMatch(/\[\^1\]: (?:1 )?First\.\n/)
  expect(markdown).toMatch(/\[\^2\]: (?:2 )?Second\s+in two lines\./)
})
