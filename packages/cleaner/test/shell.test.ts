import { cleanHtml, toMarkdown } from '@pith-mcp/cleaner'
import { describe, expect, test } from 'vitest'

const steps = 'Open the lid, put the filter in and press the ring down until it clicks.'
const shell = (inside: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><title>Filters</title>${head}</head><body>
   <div id="root">Loading…</div>${inside}<script src="/app.js"></script></body></html>`
const json = (id: string, data: unknown, type = 'application/json'): string =>
  `<script id="${id}" type="${type}">${JSON.stringify(data).replaceAll('</', '<\\/')}</script>`

describe('a page that shows no text is read where its text stands', () => {
  test.each([
    ['noscript', `<noscript><h2>Change</h2><p>${steps}</p></noscript>`],
    ['template', `<template id="page"><h2>Change</h2><p>${steps}</p></template>`],
    ['object', `<object data="a.svg"><h2>Change</h2><p>${steps}</p></object>`],
    ['canvas', `<canvas><h2>Change</h2><p>${steps}</p></canvas>`],
    ['iframe', `<iframe src="a.html"><h2>Change</h2><p>${steps}</p></iframe>`],
    ['iframe', `<iframe srcdoc="<h2>Change</h2><p>${steps}</p>"></iframe>`],
    ['script#m', `<script id="m" type="text/markdown">\n  ## Change\n\n  ${steps}\n</script>`],
    [
      'script[type="text/x-template"]',
      `<script type="text/x-template"><h2>Change</h2><p>${steps}</p></script>`,
    ],
    ['textarea#source', `<textarea id="source">## Change\n\n${steps}</textarea>`],
    [
      'script#__NEXT_DATA__',
      json('__NEXT_DATA__', { props: { page: { body: `## Change\n\n${steps}` } } }),
    ],
    ['script#__NUXT_DATA__', json('__NUXT_DATA__', [{ a: 1 }, `<h2>Change</h2><p>${steps}</p>`])],
    ['script#ld', json('ld', { headline: 'Change', articleBody: steps }, 'application/ld+json')],
    [
      'script: __STATE__',
      `<script>window.__STATE__ = ${JSON.stringify({ text: `<h2>Change</h2><p>${steps}</p>` })};</script>`,
    ],
  ])('%s', (place, inside) => {
    const page = cleanHtml(shell(inside))
    expect(toMarkdown(page)).toContain(steps)
    expect(toMarkdown(page)).not.toContain('\\#')
    expect(page.health.textFrom).toBe(place)
    expect(page.language).toBe('en')
  })

  test('a frameset', () => {
    const page = cleanHtml(
      `<frameset><frame src="a.html"><noframes><body><h1>Filters</h1><p>${steps}</p></body></noframes></frameset>`,
    )
    expect(toMarkdown(page)).toContain(steps)
    expect(page.title).toBe('Filters')
  })
})

describe('no text of a page', () => {
  test.each([
    '<noscript>You need to enable JavaScript to run this app, which is a single page.</noscript>',
    '<template><li>{{ name }} costs {{ price }} a piece, with tax and a box to keep it in</li></template>',
    json('__NEXT_DATA__', { compiledSource: `## ${steps}`, buildId: 'x', paths: ['/a', '/b'] }),
    `<script>window.gtag = window.gtag || function () { return "${steps}" }</script>`,
  ])('%s', (inside) => {
    expect(toMarkdown(cleanHtml(shell(inside)))).toBe('Loading…')
  })

  test('data without it is named', () => {
    const page = cleanHtml(shell('<script>window.__NUXT__ = (function(a){return {a}})(1)</script>'))
    expect(page.health.unread).toEqual(['script: __NUXT__'])
  })
})

test('a page with a text of its own is not searched', () => {
  const html = `<main><h1>Filters</h1><p>${'Rinse it with water. '.repeat(20)}</p><noscript><p>${steps}</p></noscript></main>`
  expect(cleanHtml(html).health).not.toHaveProperty('textFrom')
  expect(toMarkdown(cleanHtml(html))).not.toContain(steps)
})
