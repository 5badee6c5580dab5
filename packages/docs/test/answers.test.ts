import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDocs, type Docs, type ReadOptions } from '@pith-mcp/docs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../base/test/temporary-folder.ts'

const folder = temporaryFolder()
let docs: Docs

const paragraph = (word: string) => `<p>${`A sentence about ${word}. `.repeat(30)}</p>`
/** Shorter code is never left out. */
const longCode = '\nnpm run ferry -- --port 4000 --host all'.repeat(8)
const manual = `<title>Ferry manual</title><main><h1 id="ferry">Ferry manual</h1><p>Intro.</p>
<h2 id="install">1. Install</h2>${paragraph('installing')}<pre><code class="language-sh">npm i ferry${longCode}</code></pre><pre><code>ferry up</code></pre>
<h2 id="options">2. Options</h2><p>All options.</p>
<dl><dt id="opt-port"><code>--port</code></dt><dd><p>The port.</p></dd><dt id="opt-host"><code>--host</code></dt><dd><p>The host.</p></dd></dl>
<p>Options end here.</p>
<h3 id="same-a">Example</h3><p>First example.</p>
<h2 id="synopsis">Synopsis</h2><pre>ferry --port 80</pre>
<h2 id="faq">3. FAQ</h2>${paragraph('questions').repeat(12)}<h3 id="same-b">Example</h3><p>Second example.</p></main>`
const terms = `<main><h1>Tool</h1><p>Intro.</p>
<h2 id="flags">Flags</h2><p>All flags.</p>
<dl><dt><code>-t</code></dt><dd>Deletes empty folders.</dd><dt><code>-T</code>, <code>--tree</code></dt><dd>Deletes trees.</dd>
<dt>void destroy(cache *one)</dt><dd><ul><li>Frees it.</li></ul></dd><dt>patience</dt><dd>Deletes slowly.</dd></dl>
<dl><dt id="p">--patience</dt><dd><p>A flag.</p></dd></dl>
<h2 id="more">More flags</h2><dl><dt>-x</dt><dd>First.</dd></dl><h2 id="most">Most flags</h2><dl><dt>-x</dt><dd>Second.</dd></dl>
<h2 id="dir">Class: fs.Dir</h2><p>A folder.</p><h2 id="io">Input / output</h2><p>Of both.</p><h3 id="pipes">Pipes</h3><p>Of pipes.</p></main>`

beforeAll(async () => {
  await writeFile(join(folder, 'm.html'), manual)
  await writeFile(join(folder, 'terms.html'), terms)
  const many = Array.from(
    { length: 700 },
    (_, i) => `<h2 id="s${i}">Section number ${i}</h2><p>x</p>`,
  )
  await writeFile(join(folder, 'many.html'), `<main><h1>Many</h1>${many.join('')}</main>`)
  const ropes = Array.from(
    { length: 8 },
    (_, at) => `<h2>Rope ${at}</h2>${paragraph('the anchor').repeat(3)}`,
  )
  await writeFile(join(folder, 'ropes.html'), `<main><h1>Ropes</h1>${ropes.join('')}</main>`)
  const chapters = Array.from({ length: 8 }, (_, chapter) => {
    const parts = Array.from(
      { length: 60 },
      (_, part) => `<h3>Part ${chapter} of ${part}</h3><p>x</p>`,
    )
    return `<h2>Chapter ${chapter}</h2>${parts.join('')}`
  })
  await writeFile(join(folder, 'deep.html'), `<main><h1>Deep</h1>${chapters.join('')}</main>`)
  docs = await createDocs({ sources: [folder] })
})

afterAll(() => docs.close())

describe('section', () => {
  test.each(['install', '#install', '1. Install', 'INSTALL', 'Install!', ' 1. install '])(
    'is found as %j',
    async (name) => {
      expect((await docs.section('m.html', name)).section.id).toBe('install')
    },
  )

  test('may be an entry of a definition list, by id or term', async () => {
    const byId = await docs.section('m.html', 'opt-port')
    expect(byId.markdown.trim()).toBe('`--port`\n\nThe port.')
    expect(await docs.section('m.html', '--port')).toEqual(byId)
  })

  test.each([
    ['-t', 'Deletes empty folders.'],
    ['-T', 'Deletes trees.'],
    ['--tree', 'Deletes trees.'],
    ['Flags › -T', 'Deletes trees.'],
    ['destroy', 'Frees it.'],
    ['patience', 'Deletes slowly.'],
    ['More flags / -x', 'First.'],
  ])('may be a term without an anchor: %s', async (name, text) => {
    const { markdown, section } = await docs.section('terms.html', name)
    expect(markdown).toContain(text)
    expect(markdown.match(/\bDeletes\b|\bFrees\b|First|Second/g)).toHaveLength(1)
    expect((await docs.section('terms.html', section.id)).markdown).toBe(markdown)
  })

  test('is not guessed among terms of the same name', async () => {
    const error = await docs.section('terms.html', '-x').catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ remedy: expect.stringMatching(/more~-x, most~-x/) })
    expect((await docs.section('terms.html', 'most~-x')).markdown).toContain('Second.')
  })

  test.each([
    ['fs.Dir', 'dir'],
    ['Dir', 'dir'],
    ['Input / output › Pipes', 'pipes'],
    ['Tool / Input / output / Pipes', 'pipes'],
  ])('is found as %j without the words around the name', async (name, id) => {
    expect((await docs.section('terms.html', name)).section.id).toBe(id)
  })

  test('that is a term leaves no trace in what changed since', async () => {
    await docs.toc('terms.html')
    await docs.section('terms.html', '-t')
    expect((await docs.toc('terms.html')).removed).toEqual([])
  })

  test('comes with what follows its entries and with its subsections', async () => {
    const { markdown } = await docs.section('m.html', 'options')
    expect(markdown).toContain('Options end here.')
    expect(markdown).toContain('First example.')
    expect(markdown).not.toContain('FAQ')
  })

  test('has stand-ins for code, counted, unless code is asked for', async () => {
    const without = await docs.section('m.html', 'install')
    expect(without).toMatchObject({ codeBlocksOmitted: 1 })
    expect(without.markdown).toContain('[code sh, 9 lines]')
    expect(without.markdown).toContain('ferry up')
    const full = await docs.section('m.html', 'install', { includeCodeBlocks: true })
    expect(full).toMatchObject({ codeBlocksOmitted: 0 })
    expect(full.markdown).toContain('```sh\nnpm i ferry\n')
  })

  test('shows its code if it has no other text', async () => {
    const synopsis = await docs.section('m.html', 'synopsis')
    expect(synopsis.markdown).toContain('ferry --port 80')
    expect(synopsis.codeBlocksOmitted).toBe(0)
  })

  test('a wrong name is an error with the nearest ones', async () => {
    await expect(docs.section('m.html', 'instal')).rejects.toMatchObject({
      code: 'section_not_found',
      message: expect.stringContaining('"instal"'),
      remedy: expect.stringContaining('(install)'),
    })
  })

  test('a title that two sections have is an error with their ids', async () => {
    await expect(docs.section('m.html', 'Example')).rejects.toMatchObject({
      remedy: expect.stringContaining('same-a, same-b'),
    })
  })

  test('no name at all is an error; the fragment of the URL is a name', async () => {
    await expect(docs.section('m.html', undefined)).rejects.toMatchObject({ code: 'bad_argument' })
    expect((await docs.section('m.html#opt-host', undefined)).markdown).toContain('The host.')
  })
})

describe('a section is named', () => {
  const options = [
    ['-o FILE, --output FILE', 'opt-o'],
    ['-u, --upper', 'opt-u'],
    ['-U', 'opt-upper-u'],
    ['DATA_RETENTION_TIME_IN_DAYS = <value>', 'retention'],
    ['CLUSTER BY ( expr [ , expr , ... ] )', 'cluster'],
    ["COMMENT = 'text'", 'comment'],
    ['class json.JSONEncoder(*, skipkeys=False)', 'encoder'],
    ['json.dump(obj, fp, *, skipkeys=False)', 'dump'],
    ['json.dumps(obj, *, skipkeys=False)', 'dumps'],
    ['proxy_read_timeout time;', 'timeout'],
  ] as const
  const entries = options.map(
    ([term, id]) =>
      `<dt id="${id}"><code>${term.replaceAll('<', '&lt;')}</code></dt><dd><p>About ${id}.</p></dd>`,
  )
  const several =
    '<dt id="a1"><code>first_of_two</code></dt><dt id="a2"><code>second_of_two</code></dt><dd><p>About two.</p></dd>'
  const page = `<title>CREATE TABLE</title><main><h1>CREATE TABLE</h1><p>Lead.</p>
    <h2 id="params">Parameters</h2><dl>${entries.join('')}${several}</dl>
    <h2 id="examples">Examples</h2><p>All.</p><h3 id="ctas">CTAS examples</h3><p>ctas</p><h3 id="e1">Example</h3><p>one</p>
    <h3 id="a-of-add">-a</h3><p>add</p>
    <h2 id="more">More</h2><h3 id="e2">Example</h3><p>two</p><h3 id="a-of-commit">-a</h3><p>commit</p><h3 id="c">C</h3><p>c</p><h3 id="cpp">C++</h3><p>cpp</p><h3 id="plus">++</h3><p>p</p><h3 id="types">type of values</h3><p>v</p><h2 id="time">Usage notes for time</h2><p>x</p></main>`

  beforeAll(() => writeFile(join(folder, 'names.html'), page))

  test.each([
    ['DATA_RETENTION_TIME_IN_DAYS', 'retention'],
    ['data_retention_time_in_days', 'retention'],
    ['DATA_RETENTION', 'retention'],
    ['CLUSTER BY', 'cluster'],
    ['COMMENT', 'comment'],
    ['--output', 'opt-o'],
    ['--output FILE', 'opt-o'],
    ['-o', 'opt-o'],
    ['-u', 'opt-u'],
    ['-U', 'opt-upper-u'],
    ['--upper', 'opt-u'],
    ['JSONEncoder', 'encoder'],
    ['json.JSONEncoder', 'encoder'],
    ['dump', 'dump'],
    ['json.dumps', 'dumps'],
    ['dumps', 'dumps'],
    ['proxy_read_timeout', 'timeout'],
    ['second_of_two', 'a1'],
    ['Usage notes', 'time'],
    ['Examples › CTAS examples', 'ctas'],
    ['CREATE TABLE › Examples › CTAS examples', 'ctas'],
    ['CREATE TABLE > Examples > CTAS examples', 'ctas'],
    ['Examples / Example', 'e1'],
    ['More › Example', 'e2'],
    ['More › -a', 'a-of-commit'],
    ['More › C++', 'cpp'],
    ['C++', 'cpp'],
    ['++', 'plus'],
    ["Parameters › COMMENT = 'text'", 'comment'],
  ])('as %j', async (name, id) => {
    expect((await docs.section('names.html', name)).section.id).toBe(id)
  })

  test.each([
    ['Example', /e1.*e2/],
    ['json', /\(dump\), .*\(dumps\)/],
    ['outpu', /Nearest/],
    ['Wrong › Example', /Nearest|table of contents/],
    ['Parameters › -O', /Nearest|table of contents/],
    ['-a', /a-of-add.*a-of-commit/],
    ['of', /Nearest|table of contents/],
    ['-x', /Nearest|table of contents/],
  ])('by %j is none: what it may mean is listed', async (name, remedy) => {
    await expect(docs.section('names.html', name)).rejects.toMatchObject({
      code: 'section_not_found',
      remedy: expect.stringMatching(remedy),
    })
  })

  test('and no other is given in its place by a fragment that is not there', async () => {
    await expect(docs.section('names.html#json.dum', undefined)).rejects.toMatchObject({
      code: 'section_not_found',
    })
  })
})

describe('content', () => {
  const walk = async (options: ReadOptions): Promise<string[]> => {
    const parts: string[] = []
    for (let page: string | undefined; parts.length < 1000; ) {
      const answer = await docs.content('m.html', { ...options, ...(page && { page }) })
      parts.push(answer.markdown)
      page = answer.nextPage
      if (page === undefined) break
    }
    return parts
  }

  test('pages add up to the whole', async () => {
    const whole = await docs.content('m.html', { maxLength: 0 })
    expect(whole.nextPage).toBeUndefined()
    for (const maxLength of [100, 777, 5000]) {
      const parts = await walk({ maxLength })
      expect(parts.join('')).toBe(whole.markdown)
      for (const part of parts) expect(part.length).toBeLessThanOrEqual(maxLength)
    }
  })

  test('start_index begins anywhere', async () => {
    const whole = await docs.content('m.html', { maxLength: 0 })
    const part = await docs.content('m.html', { startIndex: 100, maxLength: 0 })
    expect(part.markdown).toBe(whole.markdown.slice(100))
  })

  test.each([
    [{ startIndex: 1e9 }],
    [{ startIndex: -1 }],
    [{ startIndex: Number.NaN }],
    [{ page: 'two' }],
  ])('%j is an error, never the first page', async (options) => {
    await expect(docs.content('m.html', options)).rejects.toMatchObject({ code: 'bad_argument' })
  })

  test('a token of another text is an error', async () => {
    const { nextPage = '' } = await docs.content('m.html', { maxLength: 100 })
    await expect(docs.content('many.html', { page: nextPage })).rejects.toMatchObject({
      code: 'page_changed',
    })
    const withCode = { page: nextPage, includeCodeBlocks: true }
    await expect(docs.content('m.html', withCode)).rejects.toMatchObject({ code: 'page_changed' })
  })
})

describe('toc', () => {
  test('has the cost of each section with all it contains', async () => {
    const { entries, tokens } = await docs.toc('m.html')
    const cost = Object.fromEntries(entries.map((entry) => [entry.id, entry]))
    expect(cost['install']).toMatchObject({ codeBlocks: 2, tables: 0, parent: 'ferry' })
    expect(cost['options']?.tokens).toBeGreaterThan(cost['opt-port']?.tokens ?? Infinity)
    expect(cost['ferry']?.tokens).toBe(tokens)
  })

  test('names a section by its title, and by its id where titles repeat', async () => {
    const { list } = await docs.toc('m.html')
    expect(list.markdown).toContain('  - 1. Install ~')
    expect(list.markdown).toContain('    - Example {same-a} ~')
  })

  test('a list too long for one reply goes on with a token', async () => {
    const titles: string[] = []
    for (let page: string | undefined; ; ) {
      const { list } = await docs.toc('many.html', page ? { page } : {})
      expect(list.markdown.length).toBeLessThanOrEqual(5_000)
      titles.push(...(list.markdown.match(/Section number \d+/g) ?? []))
      page = list.nextPage
      if (page === undefined) break
    }
    expect(titles).toEqual(Array.from({ length: 700 }, (_, index) => `Section number ${index}`))
  })

  test('a deep list folds its lower levels, which can be listed by themselves', async () => {
    const { list } = await docs.toc('deep.html')
    expect(list.markdown).toMatch(/^- Deep ~\d+\/\d+\n( {2}- Chapter \d ~\d+\/\d+ \+60\n){8}$/)
    const chapter = await docs.toc('deep.html', { section: 'Chapter 3' })
    expect(chapter.list.markdown.split('\n')).toHaveLength(62)
    expect(chapter.list.markdown).toContain('  - Part 3 of 7 ~')
  })
})

describe('find', () => {
  test('gives the sections that match, within one budget', async () => {
    const { sections, matches } = await docs.find('m.html', 'example', { maxLength: 200 })
    expect(matches).toBe(2)
    expect(sections.map(({ id, path }) => [id, path.at(-1)])).toEqual([
      ['same-a', '2. Options'],
      ['same-b', '3. FAQ'],
    ])
    const length = sections.reduce((total, { markdown }) => total + markdown.length, 0)
    expect(length).toBeLessThanOrEqual(200)
  })

  test('a section that is cut says how long it is', async () => {
    const { sections } = await docs.find('m.html', 'questions', { maxLength: 300 })
    const [found] = sections
    expect(found).toMatchObject({ isWhole: false })
    const whole = await docs.section('m.html', found?.id, { includeCodeBlocks: true })
    expect(whole.total).toBe(found?.total)
  })

  test('a page token with one wrong character is mended, and that is said', async () => {
    const first = await docs.content('m.html', { maxLength: 100 })
    const page = first.nextPage ?? ''
    const slip = page.slice(0, -1) + (page.endsWith('7') ? '8' : '7')
    const next = await docs.content('m.html', { page: slip, maxLength: 100 })
    expect(next).toMatchObject({ start: first.end, pageCorrected: true })
    await expect(docs.content('m.html', { page: 'two', maxLength: 100 })).rejects.toThrow(
      /not a page token/,
    )
  })

  test('an empty query is an error, one without a match an answer', async () => {
    await expect(docs.find('m.html', '  ')).rejects.toMatchObject({ code: 'bad_argument' })
    expect(await docs.find('m.html', 'xylophone')).toMatchObject({ matches: 0, sections: [] })
  })
})

describe('search', () => {
  test('an empty query is an error', async () => {
    await expect(docs.search('')).rejects.toMatchObject({ code: 'bad_argument' })
  })

  test('lists up to 30 headings of a page, of a longer one the upper levels', async () => {
    const { hits } = await docs.search('section number', { includeHeadings: true })
    expect(hits[0]?.headings).toHaveLength(30)
    expect(hits[0]?.headingsOmitted).toBe(671)
  })

  test('an excerpt has at most 200 characters', async () => {
    const { hits } = await docs.search('questions')
    expect(hits[0]?.excerpt.length).toBeLessThanOrEqual(200)
    expect(hits[0]?.excerpt).toContain('questions')
  })
})

test('a search in a page shows six sections, in 3,000 characters', async () => {
  const short = await docs.find('many.html', 'section number')
  expect([short.sections.length, short.bound]).toEqual([6, 'maxSections'])
  const { sections, bound } = await docs.find('ropes.html', 'anchor')
  const length = sections.reduce((sum, { markdown }) => sum + markdown.length, 0)
  expect(bound).toBe('maxLength')
  expect(length).toBeLessThanOrEqual(3_000)
  expect(length).toBeGreaterThan(2_500)
})

test('a search shows the text of four sections of a page at most', async () => {
  const { hits } = await docs.search('section number', { maxTokens: 3_000 })
  expect(hits[0]?.url).toMatch('many.html')
  expect(hits[0]?.sections.filter(({ text }) => text !== '')).toHaveLength(4)
})
