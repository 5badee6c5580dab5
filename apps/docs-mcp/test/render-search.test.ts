import type { Docs, SearchAnswer, SearchedSource } from '@pith-mcp/docs'
import { expect, test } from 'vitest'
import { renderSearch, standingAlone } from '../src/render/render-search.ts'
import { originText } from '../src/render/reply-text.ts'
import { searchDocs } from '../src/tools/search-docs.ts'

const source: SearchedSource = {
  name: 'https://docs.example.org/',
  via: 'sitemap',
  isComplete: true,
  progress: { done: 0, total: 0, sections: 0, characters: 0 },
  more: false,
  forbidden: 0,
  pages: 1,
  unread: 0,
  sections: 2,
  failed: 0,
  leftOut: 0,
  unreadable: [],
}

const answer = (
  own: Partial<SearchAnswer>,
  ofSource: Partial<SearchedSource> = {},
): SearchAnswer => ({
  queries: ['zebra'],
  hits: [],
  missing: [],
  missingShare: 0,
  matchingSections: 0,
  lead: 1,
  matchingPages: 0,
  isAll: true,
  sources: [{ ...source, ...ofSource }],
  repairs: [],
  misses: [],
  ...own,
})

test('numbers agree with their nouns', () => {
  const text = renderSearch(answer({}, { forbidden: 1, failed: 2, ignored: '5 .adoc' }))
  expect(text.split('\n')).toEqual([
    'No section matches "zebra" (2 sections of 1 page, sitemap).',
    'Search for one or two words that the documentation uses.',
    '[not read: 1 page that robots.txt forbids]',
    '[not read: 2 unreadable pages]',
    '[not read: other formats: 5 .adoc]',
  ])
})

const hit = {
  url: 'https://docs.example.org/a#b',
  title: 'A',
  section: 'B',
  path: [],
  excerpt: '',
  score: 1,
  reasons: [],
  sections: [],
  source: source.name,
}

const section = {
  id: 'b',
  title: 'B',
  path: ['A'],
  place: 0,
  tokens: 9,
  text: 'Stripes of a zebra.',
  isWhole: true,
}

test.each([
  [[], { searched: 'ja', others: ['en'], isOnly: true }, 'translate it, language="en"]'],
  [[], { others: ['en'] }, '[no page in the language of the query: searched en; translate'],
  [[], { searched: 'ja', others: ['en'] }, 'Search for one or two words'],
  [[hit], { searched: 'ja', others: ['en'], isOnly: true }, '[searched ja, the language of'],
  [
    [hit],
    { searched: 'ja', others: ['en'] },
    '[pages in ja, the language of the query, come first]',
  ],
  [[hit], { others: ['en'] }, '[no page in the language of the query: searched en;'],
] as const)('the reply names the language of the query: %#', (hits, queryLanguage, note) => {
  const own = { hits: [...hits], queryLanguage: { ...queryLanguage, others: ['en'] } }
  expect(renderSearch(answer(own))).toContain(note)
})

test('an unknown word is named with what was searched instead, or that it was left out', () => {
  const text = renderSearch(
    answer({ repairs: [{ word: 'zebar', used: 'zebra' }, { word: 'okapy' }] }),
  )
  expect(text.split('\n').slice(-2)).toEqual([
    '[No page contains "zebar": searched "zebra" instead]',
    '[No page contains "okapy": searched without it]',
  ])
})

test('a hit has its kind, its problem, and its source unless the URL shows it', () => {
  const other = { ...source, name: 'manual' }
  const [first, second] = [
    { ...hit, kind: 'Knowledge Base', problem: '"x" answered with status 404.' },
    { ...hit, url: 'c.html', source: 'manual' },
  ]
  const both = answer({ hits: [first, second], sources: [source, other] })
  const text = renderSearch(both, { isExcerpts: true })
  expect(text).toContain('**A › B** (Knowledge Base; could not be read: "x" answered')
  expect(text).toContain('**A › B** (manual)\nc.html')
  expect(text.match(/docs\.example\.org/g)).toHaveLength(2)
})

test('sections stand below their page, with their cost unless they are whole', () => {
  const part = { ...section, id: 'c', title: 'C', place: 2, tokens: 700, text: 'Hooves.\n…' }
  const named = { ...section, id: 'e', title: 'E', path: ['Mane'], place: 1, tokens: 300, text: '' }
  const unread = { id: '', title: 'F', path: [], place: 3, text: '', tokens: undefined }
  const hits = [
    { ...hit, sections: [section, { ...part, isWhole: false }] },
    { ...hit, url: 'd.html#e', title: 'D', sections: [{ ...named, isWhole: false }] },
    { ...hit, url: 'f.html', title: 'F', sections: [{ ...unread, isWhole: false }] },
  ]
  const text = renderSearch(answer({ hits, matchingSections: 12, isAll: false, missing: ['gnu'] }))
  expect(text.split('\n')).toEqual([
    '<page_text>',
    '**A › B**',
    'https://docs.example.org/a#b',
    'Stripes of a zebra.',
    '#c C (~700 tokens)',
    'Hooves.',
    '…',
    '',
    'd.html#e Mane › E (~300 tokens)',
    'f.html F (title only)',
    '</page_text>',
    `[no section shown has "gnu": if nothing fits, search with the manual's own words, such as an option or a heading]`,
    '[2 shown and 2 named of at least 12 matching sections; 2 sections of 1 page, sitemap]',
    '[next: get_doc_section(url="d.html", sections=["e","https://docs.example.org/a#c"], query="zebra")]',
  ])
})

test('before sections without half of the query stands what to try', () => {
  const hits = [{ ...hit, sections: [section] }]
  const of = (missingShare: number) =>
    renderSearch(answer({ hits, missing: ['gnu'], missingShare })).split('\n')
  expect(of(0.6)[0]).toMatch(/^\[no section shown has "gnu": .* manual's own words/)
  expect(of(0.5)[0]).toBe('<page_text>')
})

test('unreadable files are told by their paths below the folder', () => {
  const unreadable = [{ url: '/home/x/docs/a/b.md', problem: '"/home/x/docs/a/b.md" is empty.' }]
  const ofSource = { name: '/home/x/docs', failed: 1, unreadable }
  expect(renderSearch(answer({}, ofSource))).toContain(
    '[not read: 1 unreadable page (a/b.md: "a/b.md" is empty.)]',
  )
})

test('an address is one word, whatever the id', () => {
  const hits = [{ ...hit, url: 'a.html', sections: [{ ...section, id: 'b c', isWhole: false }] }]
  const text = renderSearch(answer({ hits }))
  expect(text).toContain('\na.html#b%20c (~9 tokens)\n')
  expect(text).toContain('[next: get_doc_section(url="a.html#b%20c", query="zebra")]')
})

test('next to a section that is shown alone others are named, and counted so', () => {
  const other = { ...section, id: 'c', title: 'C', place: 1 }
  const hits = [
    { ...hit, sections: [section, other] },
    { ...hit, url: 'd.html', title: 'D', sections: [{ ...other, id: 'd', title: 'D', place: 2 }] },
  ]
  const text = renderSearch(standingAlone(answer({ hits, matchingSections: 3 }), 'All of B.'), {
    isAlone: true,
  })
  expect(text.split('\n')).toEqual([
    '<page_text>',
    '**A › B**',
    'https://docs.example.org/a#b',
    'All of B.',
    '#c C (~9 tokens)',
    '',
    'd.html#d A › D (~9 tokens)',
    '</page_text>',
    '[1 shown and 2 named of 3 matching sections; 2 sections of 1 page, sitemap]',
  ])
})

test('the call that reads on has what was cut of the best, in order', () => {
  const of = (id: string, place: number, tokens: number, text = 'x') => ({
    ...section,
    ...{ id, place, tokens, text, isWhole: false },
  })
  const next = (sections: readonly (typeof section)[]) =>
    renderSearch(
      answer({
        queries: ['zebra', 'gnu'],
        hits: [{ ...hit, url: 'a.html', sections: [...sections] }],
      }),
    )
      .split('\n')
      .find((line) => line.startsWith('[next'))
  // All that is shown is whole.
  expect(next([section])).toBeUndefined()
  expect(next([section, of('c', 1, 20_000, '')])).toContain('"a.html#c"')
  // A long one is named too, and cut to its passages; none is skipped for its length.
  expect(next([of('c', 0, 20_000)])).toBe(
    '[next: get_doc_section(url="a.html#c", query="zebra gnu")]',
  )
  expect(next([of('c', 0, 9_000), of('d', 1, 800, ''), of('e', 2, 900)])).toContain(
    '(url="a.html", sections=["c","d","e"], query=',
  )
  const long = [...'cdefg'].map((id, place) => of(id, place, 900))
  expect(next([...long, of('h', 5, 90)])).toContain('sections=["c","d","e","f"]')
  const wording = 'zebra '.repeat(3) + 'x'.repeat(9_000)
  const cut = { ...hit, url: 'a.html', sections: [of('c', 0, 900)] }
  expect(renderSearch(answer({ queries: [wording], hits: [cut] })).length).toBeLessThan(1_000)
  const four = long.slice(0, 4)
  expect(next([...four, of('h', 5, 40)])).toContain('"f","h"]')
  expect(next([...four, of('h', 5, 41)])).toContain('"f"]')
  const ids = [...'cdefghijk'].map((id, place) => of(id, place, 9))
  expect(next(ids)).toContain('["c","d","e","f","g","h","i","j"]')
})

test.each([
  ['half as good again as the second', 1.5, 600, true],
  ['less far ahead', 1.49, 600, false],
  ['longer than 600 tokens', 1.5, 601, false],
])('a first section that is %s: whole %4$s', async (_what, lead, tokens, isWhole) => {
  const docs = {
    search: async () => answer({ hits: [{ ...hit, sections: [section] }], lead }),
    section: async () => ({ markdown: '## B\n\nAll of B.', tokens }),
  } as unknown as Docs
  const input = searchDocs.input.parse({ query: 'zebra' })
  const { text } = await searchDocs.answer(input, docs, {})
  expect(text.includes('All of B.')).toBe(isWhole)
})

test.each([
  [{}, '[no page in that language: searched all languages (en, pt-br)]'],
  [{ otherLanguages: [] }, '[no page in that language: searched all languages]'],
  [
    { isDefaultLanguage: true },
    '[that language is not available: searched en (languages: en, pt-br)]',
  ],
  [
    { isDefaultLanguage: true, sources: [{ ...source, name: 'https://docs.example.org/pt-BR/' }] },
    '[that language is not available: searched pt-br (languages: en, pt-br)]',
  ],
])('the language that was searched is named: %#', (own, note) => {
  expect(renderSearch(answer({ otherLanguages: ['en', 'pt-br'], ...own }))).toContain(note)
})

test.each<[string, Partial<SearchedSource>, string]>([
  ['pages known by title', { unread: 3 }, '3 pages known by title only'],
  [
    'pages still to be indexed',
    { isComplete: false, progress: { done: 1, total: 5, sections: 0, characters: 0 } },
    '4 pages still to be indexed',
  ],
  [
    'unreadable pages',
    { failed: 1, unreadable: [{ url: 'okapi.html', problem: 'It is empty.' }] },
    '1 unreadable page (okapi.html: It is empty.)',
  ],
  ['forbidden pages', { forbidden: 2 }, '2 pages that robots.txt forbids'],
  ['other formats', { ignored: '2 .pdf' }, 'other formats: 2 .pdf'],
  ['labels', { leftOut: 1 }, 'labels next to the text of 1 page'],
  ['pages beyond the limit', { more: true }, 'pages beyond the 1 read'],
])('that a word is missing is said with what was not read: %s', (_kind, source, gap) => {
  const misses = [{ word: 'okapi', nearest: [] }]
  const text = renderSearch(answer({ misses }, source))
  expect(text).toContain(`The one page read does not contain "okapi"; not read: ${gap}.`)
  expect(text).not.toContain('No page contains')
  expect(renderSearch(answer({ misses }))).toContain('No page contains "okapi".')
})

test('a word that no page has is named next to results, if nothing was searched instead', () => {
  const misses = [
    { word: 'okapi', nearest: [] },
    { word: 'zebro', nearest: ['zebra'] },
  ]
  const repairs = [{ word: 'zebro', used: 'zebra' }]
  const hits = [{ ...hit, sections: [section] }]
  const text = renderSearch(answer({ hits, misses, repairs }), { isAlone: true })
  expect(text).toContain(
    '\n[No page contains "okapi"]\n[No page contains "zebro": searched "zebra"',
  )
})

test.each<[versions: (string | undefined)[], note: string | undefined]>([
  [['5.2', '5.2'], '[docs.example.org: version 5.2]'],
  [['5.2', 'stable'], '[docs.example.org: results of several versions: 5.2, stable]'],
  [['5.2', undefined], '[docs.example.org: results of several versions: 5.2, no stated version]'],
  [[undefined, undefined], undefined],
])('results of the versions %j say %s', (versions, note) => {
  const hits = versions.map((version, at) => ({
    ...hit,
    url: `https://docs.example.org/${at}`,
    ...(version && { version }),
  }))
  const text = renderSearch(answer({ hits, matchingPages: 2 }), { isExcerpts: true })
  expect(text.split('\n').filter((line) => line.includes('version'))).toEqual(note ? [note] : [])
})

test('what was read has its version and date, a stale copy its date once', () => {
  const origin = { source: 'html', version: '5.2]x', fetchedAt: Date.UTC(2026, 10, 26) } as const
  expect(originText(origin)).toBe('HTML, version 5.2 x, read 2026-11-26')
  expect(originText({ ...origin, stale: 'timeout' })).toBe(
    'HTML, version 5.2 x, cached copy of 2026-11-26T00:00Z: timeout',
  )
})
