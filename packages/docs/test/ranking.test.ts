import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDocs, type Docs } from '@pith-mcp/docs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../base/test/temporary-folder.ts'
import { pageShare, referenceShareOf } from '../src/search/page-share.ts'

const filler = 'The ferry leaves the harbour and comes back before the evening of that day. '
const sail = `${filler}The halyard lifts the mainsail until the luff is tight. ${filler}`
const options = `<dl><dt id="soft">--soft</dt><dd>Keeps the index and the tree.</dd>
  <dt id="u">-u, --include-untracked</dt><dd>Also stows what is not tracked yet.</dd></dl>`
const signature = 'wait_for(aw, timeout)'

const pages: Record<string, string> = {
  'sail.html': `<h1>Sails</h1><h2 id="hoist">Hoisting</h2><p>${sail}</p>
    <h2 id="reef">Reefing</h2><p>${filler}Take in a reef of the mainsail with the halyard eased.</p>
    <h2 id="stow">Stowing</h2><p>${filler}</p>`,
  'print.html': `<h1>The whole book</h1><h2 id="a">1. Hoisting</h2><p>${sail}</p>
    ${Array.from({ length: 30 }, (_, at) => `<h2 id="p${at}">Part ${at}</h2><p>${filler}${at}</p>`).join('')}`,
  'Concept-Index.html': '<h1>Concept Index</h1><h2 id="B">B</h2><p>bosun whistle</p>',
  'crew.html': `<h1>Crew</h1><p>${filler.repeat(3)}The bosun is heard by his whistle. ${filler}</p>`,
  'apart.html': `<h1>Notes</h1><h2 id="apart">Apart</h2><p>${`A mainsail. ${filler.repeat(30)} A luff. ${filler.repeat(30)} A halyard.`}</p>`,
  'options.html': `<h1>Stow</h1>${options}<p>${filler}soft cushions, and u-turns.</p>`,
  'wait.html': `<h1>Tasks</h1><h2 id="wait">${signature}</h2><p><code>coroutine ${signature}</code></p>
    <p>Waits until the pledge is kept, at most for the given seconds.</p>
    <h2 id="example">Use</h2><pre><code>result = wait_for(pledge, 3)</code></pre><p>A pledge is kept or broken.</p>`,
  'listing.html': `<h1>Tasks</h1><h2 id="source">wait_for(aw, timeout)</h2>
    <pre><code># Waits until the pledge is kept, at most for the given seconds.</code></pre>`,
  'limits.html': `<h1>Limits</h1><p>${filler}</p>
    <h2 id="x">xspan_max (default: span)</h2><p>The span, as span_max says; span_max is span_max.</p>
    <h2 id="y">span_max (number)</h2><p>${filler.repeat(4)}</p>
    <h2 id="z">class SpanMax(base)</h2><p>${filler.repeat(4)}</p>`,
  'long.html': `<h1>Long</h1><h2 id="part">Part</h2><p>${filler.repeat(300)}A zeppelin.</p><p>${filler.repeat(300)}</p>`,
}

const folder = temporaryFolder()
let docs: Docs

beforeAll(async () => {
  for (const [name, body] of Object.entries(pages))
    await writeFile(join(folder, name), `<main>${body}</main>`)
  docs = await createDocs({ sources: [folder] })
})

afterAll(() => docs.close())

describe('a search', () => {
  test('puts a section with the words close together first', async () => {
    const { hits } = await docs.search('halyard lifts mainsail luff')
    expect(hits[0]?.url).toBe('sail.html#hoist')
  })

  test('leaves a section that another page contains as well to the smaller page', async () => {
    const { hits } = await docs.search('halyard lifts mainsail luff')
    expect(hits.filter(({ url }) => url.startsWith('print.html'))).toEqual([])
  })

  test.each([
    ['api/globals_func.html', 0.3],
    ['class_rope-members.html#a', 0.3],
    ['https://docs.example.org/rope/all.html', 0.3],
    ['General-Index.html', 0.3],
    ['CHANGELOG.md', 1],
    ['indexes.html', 1],
    ['classes.html', 1],
    ['functions.html', 1],
    ['index.html', 1],
  ])('gives %s the share %d of its score', (url, share) => {
    expect(pageShare(url)).toBe(share)
  })

  test.each([
    ['haul', '`haul`\nSee The Rigging Module.', 0.5],
    ['haul', 'See also: the rigging module', 0.5],
    ['haul', 'See the rope before you haul it. Then pull.', 1],
    ['haul', 'Seen from the deck.', 1],
    ['haul', '', 1],
  ])('gives the section %s with the text %j the share %d of its score', (title, text, share) => {
    expect(referenceShareOf(title, text)).toBe(share)
  })

  test('leaves the index of a manual to the pages that it names', async () => {
    const { hits } = await docs.search('bosun whistle')
    expect(hits.map(({ url }) => url.split('#')[0])).toEqual(['crew.html', 'Concept-Index.html'])
  })

  test.each([
    ['span_max', 'y'],
    ['SpanMax', 'z'],
    ['SpanMax()', 'z'],
  ])(
    'for the name %s alone gives the section of that name first, not one that mentions it',
    async (name, id) => {
      const { hits } = await docs.search(name)
      expect(hits[0]?.url).toBe(`limits.html#${id}`)
    },
  )

  test.each([
    ['inclu', 'inclu…'],
    ['include_un', 'include_un…'],
  ])('finds by the beginning %s, and says so', async (query, used) => {
    const { hits, repairs } = await docs.search(query)
    expect(hits[0]?.url).toMatch('options.html')
    expect(repairs).toEqual([{ word: query, used }])
  })

  test('uses a corrected word only if a section then has all words', async () => {
    const all = await docs.search('bosun whistel')
    expect(all.repairs).toEqual([{ word: 'whistel', used: 'whistle' }])
    const { hits, repairs } = await docs.search('zeppelin whistel')
    expect(repairs).toEqual([{ word: 'whistel' }])
    expect(hits.map(({ url }) => url)).toEqual(['long.html#part'])
  })

  test('does not correct a name whose parts occur', async () => {
    const { hits, repairs } = await docs.search('cushions-untracked')
    expect(repairs).toEqual([])
    expect(hits[0]?.url).toMatch('options.html')
  })

  test('gives the other sections of a page that match', async () => {
    const { hits } = await docs.search('mainsail halyard')
    const [best] = hits.filter(({ url }) => url.startsWith('sail.html'))
    expect(best?.sections.map(({ id }) => id).sort()).toEqual(['hoist', 'reef'])
  })

  test.each([
    ['--soft', 'options.html#soft'],
    ['stow -u', 'options.html#u'],
    ['--include-untracked', 'options.html#u'],
  ])('finds the option %s by its dashes', async (query, url) => {
    expect((await docs.search(query)).hits[0]?.url).toBe(url)
  })

  test('says how far the first hit is ahead, and leaves out weak ones', async () => {
    const { hits, lead, matchingPages } = await docs.search('--include-untracked tracked harbour')
    expect(lead).toBeGreaterThan(3.3)
    expect(hits).toHaveLength(1)
    expect(matchingPages).toBeGreaterThan(1)
  })

  test('a first hit that lacks a third of the words is not ahead', async () => {
    const { hits, lead } = await docs.search('halyard lifts zeppelin')
    expect(hits[0]?.url).toBe('sail.html#hoist')
    expect(lead).toBe(1)
    expect((await docs.search('halyard lifts')).lead).toBeGreaterThan(1)
  })

  test('has an excerpt that does not repeat the title', async () => {
    const { hits } = await docs.search('wait_for timeout')
    expect(hits[0]).toMatchObject({ url: 'wait.html#wait' })
    expect(hits[0]?.excerpt).toContain('Waits until the pledge is kept')
    expect(hits[0]?.excerpt).not.toContain('coroutine')
  })

  test('prefers text to a listing', async () => {
    const { hits } = await docs.search('pledge kept seconds')
    expect(hits[0]?.url).toBe('wait.html#wait')
  })

  test('finds a word deep in a long section, which is one hit', async () => {
    const { hits } = await docs.search('zeppelin')
    expect(hits.map(({ url, sections }) => [url, sections.map(({ id }) => id)])).toEqual([
      ['long.html#part', ['part']],
    ])
    expect(hits[0]?.excerpt).toContain('zeppelin')
  })
})

describe('a search in a page', () => {
  test('does not cut the best section for others, and names those', async () => {
    const found = await docs.find('sail.html', 'mainsail halyard luff', { maxLength: 260 })
    expect(found.sections.map(({ id }) => id)).toEqual(['hoist'])
    expect(found.sections[0]?.isWhole).toBe(true)
    expect(found.near).toEqual([{ id: 'reef', title: 'Reefing' }])
  })

  test('returns a section whose title is the query alone', async () => {
    const { sections, near } = await docs.find('sail.html', 'reefing')
    expect(sections.map(({ id }) => id)).toEqual(['reef'])
    expect(near).toEqual([])
  })
})

describe('in a page, a query that is a title or a name', () => {
  const text = (name: string) =>
    Array.from({ length: 60 }, (_, at) => `The ${name} is hauled on day ${at}.`).join(' ')
  beforeAll(async () => {
    await writeFile(
      join(folder, 'rig.html'),
      `<main><h1>Rig</h1><h2 id="usage">Usage notes</h2><p>${text('rope')}</p><p>${text('note')}</p>
       <h2 id="how">How to</h2><p>${text('boat')}</p>
       <h2 id="options">Options</h2><p>ON_ERROR ON_ERROR ON_ERROR: see below; ON_ERROR stops.</p>
       <dl><dt id="on-error">ON_ERROR = CONTINUE | ABORT</dt><dd><p>${text('halyard')}</p></dd>
       <dt id="null-if">NULL_IF = TEXT</dt><dd><p>ON_ERROR or not.</p></dd></dl></main>`,
    )
  })
  const find = async (query: string, maxLength?: number) =>
    (await docs.find('rig.html', query, { maxLength })).sections

  test.each([1_000, 2_000, 4_000, 0])(
    'reads from its start what %d characters hold',
    async (maxLength) => {
      const [first, ...others] = await find('usage notes', maxLength)
      const { markdown = '', total = 0, nextPage } = first ?? {}
      expect(others).toEqual([])
      expect(markdown).toMatch(/^The rope is hauled on day 0\./)
      const most = Math.min(maxLength || total, total)
      expect(markdown.length).toBeGreaterThan(0.85 * most - 40)
      expect(nextPage === undefined).toBe(first?.isWhole)
      if (nextPage === undefined) return
      const rest = await docs.section('rig.html', 'usage', { page: nextPage })
      expect(markdown + rest.markdown).toContain(text('rope').slice(0, markdown.length + 20))
    },
  )

  test('finds a title of words that every text has', async () => {
    expect((await find('how to')).map(({ id }) => id)).toEqual(['how'])
  })

  test.each(['ON_ERROR', 'default of on_error'])('reads the entry first: %s', async (query) => {
    const [first] = await find(query)
    expect(first).toMatchObject({ id: 'on-error', isWhole: true })
  })
})

test('an option is not the word that it is made of', async () => {
  await writeFile(
    join(folder, 'commands.html'),
    `<main><h1>Commands</h1><h2 id="hoist">Hoist</h2><p>Hoist is the command to hoist.</p>
     <h2 id="start">Starting</h2><p>With <code>--hoist</code> the build starts at once.</p></main>`,
  )
  const { hits } = await docs.search('--hoist')
  expect(hits[0]?.url).toBe('commands.html#start')
  expect((await docs.search('hoist command')).hits[0]?.url).toBe('commands.html#hoist')
})
