import { readdirSync, readFileSync } from 'node:fs'
import { CleanError, cleanHtml, rehypeParse5, toMarkdown } from '@pith-mcp/cleaner'
import { type PithCleanOptions, pithClean, pithRemark } from '@pith-mcp/cleaner/remark'
import type { Nodes, Root } from 'mdast'
import rehypeParse from 'rehype-parse'
import remarkStringify from 'remark-stringify'
import { unified } from 'unified'
import { describe, expect, test } from 'vitest'

const stock = (options: PithCleanOptions = {}) =>
  unified().use(rehypeParse).use(pithClean, options).use(pithRemark).use(remarkStringify)

const own = () => unified().use(rehypeParse5).use(pithClean).use(pithRemark).use(remarkStringify)

const fixtures = new URL('fixtures/', import.meta.url)
const inputs = readdirSync(fixtures).map((name): [string, string] => [
  name,
  readFileSync(new URL(`${name}/input.html`, fixtures), 'utf8'),
])

test.for(inputs)('rehype-parse leads to the same Markdown as our parser: %s', ([, html]) => {
  expect(String(stock().processSync(html))).toBe(String(own().processSync(html)))
})

test('a page of documentation has the Markdown of `cleanHtml`', () => {
  const html = `<nav><a href="/">Home</a></nav><main><h1 id="a">Crane</h1><p>Lifts <em>loads</em>.</p>
    <ul><li>Hook<ul><li>Small</li></ul></li></ul><pre><code class="language-sh">crane up</code></pre>
    <table><tr><th>Load</th><th>Limit</th></tr><tr><td>A</td><td>5 t</td></tr></table>
    <div class="admonition note"><p class="admonition-title">Note</p><p>Mind the wind.</p></div></main>`
  expect(String(stock().processSync(html)).trim()).toBe(toMarkdown(cleanHtml(html)).trim())
})

test('headings and terms have the fragments that `cleanHtml` gives their sections', () => {
  const html = `<main><h1>Crane<a class="headerlink" href="#crane">¶</a></h1><p>Lifts.</p>
    <section id="use"><h2>Use</h2><p>Slowly.</p></section>
    <dl><dt id="up"><code>up()</code></dt><dd><p>Lifts it.</p></dd>
    <dt id="down"><code>down()</code></dt><dd><p>Lowers it.</p></dd></dl></main>`
  const processor = stock()
  const tree = processor.runSync(processor.parse(html))
  const ids = cleanHtml(html).sections.map(({ id }) => id)
  expect(idsBelow(tree)).toEqual(ids)
  expect(ids).toEqual(['crane', 'use', 'up', 'down'])
})

const idsBelow = (node: Nodes | Root): string[] => [
  ...(node.data?.id === undefined ? [] : [node.data.id]),
  ...('children' in node ? node.children.flatMap(idsBelow) : []),
]

test('options of remark-stringify win over those that the preset sets', () => {
  const list = '<main><h1>Crane</h1><p>Parts:</p><ul><li>Hook</li></ul></main>'
  expect(String(stock().processSync(list))).toContain('- Hook')
  const stars = unified().use(rehypeParse).use(pithClean).use(pithRemark)
  expect(String(stars.use(remarkStringify, { bullet: '*' }).processSync(list))).toContain('* Hook')
})

test('the steps have their options and their errors', () => {
  const html = '<main><h1>Crane</h1><p class="ad">Buy.</p><p class="b">Lifts.</p></main>'
  expect(String(stock({ remove: '.ad' }).processSync(html))).toBe('# Crane\n\nLifts.\n')
  expect(String(stock({ content: '.b' }).processSync(html))).toBe('Lifts.\n')
  expect(() => stock({ remove: 'p[' }).processSync(html)).toThrow(CleanError)
  const file = stock({ debug: true, remove: '.ad' }).processSync(html)
  expect(file.data.removals).toMatchObject([{ text: 'Buy.' }])
})

describe('a page that shows no text', () => {
  const words = 'A crane lifts loads of up to five tonnes over the wall of the harbour. '.repeat(4)
  const article = `<h1>Crane</h1><p>${words}</p>`

  test.each([
    `<noscript>${article}</noscript>`,
    `<template>${article}</template>`,
    `<object>${article}</object>`,
    `<div id="app"></div><template shadowrootmode="open">${article}</template>`,
  ])('is read where it has text without scripts: %s', (body) => {
    const html = `<html><body><div id="app"></div>${body}</body></html>`
    const file = stock().processSync(html)
    expect(String(file).trim()).toBe(toMarkdown(cleanHtml(html)).trim())
    expect(file.messages.map(({ ruleId }) => ruleId)).toEqual(['text-from'])
  })

  test('says so if it has none', () => {
    const { messages } = stock().processSync(
      '<body><div id="app"></div><script>x()</script></body>',
    )
    expect(messages.map(String)).toEqual(['1:1: The page shows no text.'])
    expect(stock().processSync('<main><h1>Crane</h1></main>').messages).toEqual([])
  })
})

test('a table in a paragraph, as pages without a doctype have it, stays apart', () => {
  const html = '<h1>O</h1><p>Options<table><tr><th>a<th>b</tr><tr><td>c<td>d</tr></table>tail'
  expect(String(stock().processSync(html)).trim()).toBe(toMarkdown(cleanHtml(html)).trim())
})

test('readings of ruby texts are in brackets, and blank lines of code in cells are blank', () => {
  const html =
    '<main><h1>O</h1><p><ruby>漢<rt>kan</rt></ruby></p><table><tr><th>a</th><th>b</th></tr><tr><td><pre>f()\n\ng()</pre></td><td>c</td></tr></table></main>'
  const markdown = String(stock().processSync(html))
  expect(markdown).toContain('漢(kan)')
  expect(markdown).toContain('`f()`<br><br>`g()`')
})

test('a fragment is read like a page', () => {
  const fragment = unified()
    .use(rehypeParse, { fragment: true })
    .use(pithClean)
    .use(pithRemark)
    .use(remarkStringify)
  const html = '<title>T</title><nav>Home</nav><h1 id="a">Crane</h1><p>Lifts.</p>'
  expect(String(fragment.processSync(html))).toBe('# Crane\n\nLifts.\n')
})

describe('deep pages', () => {
  const deep = (count: number): string =>
    `<main><h1>Deep</h1>${'<div>'.repeat(count)}<p>Bottom.</p>${'</div>'.repeat(count)}</main>`

  test('what is deeper than the limit is plain text', () => {
    expect(String(stock().processSync(deep(1_000)))).toContain('Bottom.')
    expect(String(own().processSync(deep(20_000)))).toContain('Bottom.')
  })

  test('the limit is an option', () => {
    const html = '<main><h1>Deep</h1><div><p>A <em>b</em></p></div></main>'
    expect(String(stock().processSync(html))).toContain('*b*')
    expect(String(stock({ maxDepth: 4 }).processSync(html))).not.toContain('*')
  })
})
