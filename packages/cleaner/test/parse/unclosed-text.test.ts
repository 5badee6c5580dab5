import { cleanHtml, toMarkdown } from '@pith-mcp/cleaner'
import { describe, expect, test } from 'vitest'

const main = '<main><h1>Valves</h1><p>Turn the left one.</p></main>'
const read = (html: string): string => toMarkdown(cleanHtml(html))

describe('an element of raw text without an end tag does not contain the page', () => {
  test.each([
    `<nav><iframe src="menu.html"/></nav>${main}`,
    `<iframe src="a.html"/>${main}<iframe src="b.html"></iframe>`,
    `<head><title/><link rel="icon"></head><body>${main}<svg><title>x</title></svg>`,
    `<script src="a.js"/>${main}<script>1</script>`,
    `<style media="print"/>${main}`,
    `<form><textarea name="q"/></form>${main}`,
    `<noframes/>${main}`,
    `<title>Valves of a pump${'\n'}<meta charset="utf-8">${main}`,
    `<iframe src="ad.html">${main}`,
    `<script>let a = "<b>"${'\n'}<body>${main}`,
    `<!-- <script> --><p>a</b></p><iframe src=/x/ />${main}`,
  ])('%s', (html) => {
    expect(read(html)).toContain('Turn the left one.')
  })

  test('what is closed is no part of the text', () => {
    const html = `<p></b><script>const a = "<title/> <iframe/>"</script><script src="a.js"/></script>${main}`
    expect(read(html)).toBe('# Valves\n\nTurn the left one.')
  })

  test('a script that ends with the page is no text', () => {
    expect(read(`${main}<script>const rest = 'cut`)).toBe('# Valves\n\nTurn the left one.')
  })
})

describe('a declarative shadow root is a part of the page', () => {
  test('its slots show what the host contains', () => {
    const html = `<main><h1>Gears</h1><gear-box><template shadowrootmode="open"><style>p{}</style>
      <p>Before the cogs.</p><slot name="cogs"></slot><slot></slot><slot name="x"><p>No spare part.</p></slot>
      <p>After the cogs.</p></template><p slot="cogs">Two cogs.</p><p>An axle.</p></gear-box></main>`
    expect(read(html)).toBe(
      '# Gears\n\nBefore the cogs.\n\nTwo cogs.\n\nAn axle.\n\nNo spare part.\n\nAfter the cogs.',
    )
  })

  test('one in another, in the former spelling, and without a slot', () => {
    const html = `<body><a-page><template shadowroot="closed"><main><h1>Belts</h1><a-part><template
      shadowrootmode="open"><p>Inner.</p></template>Light.</a-part></main></template></a-page>`
    expect(read(html)).toBe('# Belts\n\nInner.\n\nLight.')
  })
})
