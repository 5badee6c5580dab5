import { cleanHtml } from '@pith-mcp/cleaner'
import { expect, test } from 'vitest'

const names = ['jib', 'luff', 'reef', 'sheet', 'stay', 'tack']
const sectionsOf = (body: string) =>
  cleanHtml(`<title>Sails</title>${body}`).sections.map(({ id, title, level, parent }) =>
    [id, title, level, parent].join(' '),
  )

test('an entry without a description owns what follows its list', () => {
  const option = (name: string) =>
    `<dl class="std opt"><dt id="opt-${name}"><code>${name}_size</code><a class="headerlink" href="#opt-${name}">¶</a></dt><dd></dd></dl><pre>${name}_size 20</pre><p>Size of the ${name}.</p>`
  const page = cleanHtml(`<h1 id="o">Options</h1>${names.map(option).join('')}<h2>Use</h2><p>a</p>`)
  expect(page.sections.map(({ id, title }) => `${id} ${title}`)).toEqual([
    'o Options',
    ...names.map((name) => `opt-${name} ${name}_size`),
    'use Use',
  ])
  expect(page.sections[1]?.blocks.map(({ markdown }) => markdown)).toEqual([
    '```\njib_size 20\n```',
    'Size of the jib.',
  ])
})

test.each([
  ['paragraphs', (name: string) => `<p><a id="o.${name}"></a><strong>x.${name}</strong></p>`],
  ['lines', (name: string) => `<a name="o.${name}"></a><b>x.${name}</b>`],
])('items that begin with a name that has a fragment are entries: %s', (_, start) => {
  const items = names.map(
    (name) =>
      `<li>${start(name)}<ul><li>description: of the ${name}</li><li>default: 20</li></ul></li>`,
  )
  const page = cleanHtml(`<h1 id="o">Options</h1><p>a</p><ul>${items.join('')}</ul>`)
  expect(page.sections.slice(1).map(({ id, title }) => `${id} ${title}`)).toEqual(
    names.map((name) => `o.${name} x.${name}`),
  )
  expect(page.sections[1]?.blocks.map(({ markdown }) => markdown)).toEqual([
    '**x.jib**',
    '- description: of the jib\n- default: 20',
  ])
  // Names without fragments, and too few, stay items.
  const plain = cleanHtml(`<ul>${items.join('').replace(/<a [^>]*><\/a>/g, '')}</ul>`)
  expect(
    [plain, cleanHtml(`<ul>${items.slice(0, 4).join('')}</ul>`)].map(
      ({ sections }) => sections.length,
    ),
  ).toEqual([1, 1])
})

const box = (level: number, id: string, number: string, title: string) =>
  `<a id="${id}"></a><div class="section${level}-header"><div class="section${level}-number">${number}</div><div class="section${level}-title">${title}</div></div>`
const links = names.map(
  (name) => `<div><div>2</div><a href="#${name}">The ${name} (<span>${name}</span>)</a></div>`,
)

test('boxes are titles if the contents of the page say so, and those of their form', () => {
  const parts = names.map(
    (name, at) =>
      `${box(1, name, `${at + 1}`, `The ${name} (${name})`)}<div>About it.</div>${box(2, `${name}/use`, `${at + 1}.1`, 'Use')}<p>Haul it.</p>`,
  )
  const body = `<div class="page-toc">${links.join('')}</div><div class="page-body">${parts.join('')}</div>`
  expect(sectionsOf(body).slice(-12)).toEqual(
    names.flatMap((name) => [`${name} The ${name} (${name}) 2 `, `${name}/use Use 3 ${name}`]),
  )
})

test('boxes of a page with headings are none', () => {
  const headings = '<h2>A</h2><p>a</p><h2>B</h2><p>b</p><h2>C</h2><p>c</p>'
  const body = `${links.join('')}${headings}${names.map((name) => box(1, name, '1', `The ${name} (${name})`)).join('')}`
  expect(sectionsOf(body).filter((section) => section.includes('The jib'))).toEqual([])
})

test('what is below the second of two headings of the first level is not below the first', () => {
  const page = cleanHtml(
    '<title>Harbour manual</title><h1>harbour lock</h1><h2>Description</h2><p>a</p><h1>harbour open</h1><h2>Description</h2><p>b</p>',
  )
  expect(page.title).toBe('Harbour manual')
  expect(page.sections.map(({ parent }) => parent)).toEqual([
    undefined,
    'harbour-lock',
    undefined,
    'harbour-open',
  ])
})
