import type { SearchAnswer, SearchedSource } from '@pith-mcp/docs'
import { expect, test } from 'vitest'
import { renderSearch } from '../src/render/render-search.ts'

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
}

const answer = (
  own: Partial<SearchAnswer>,
  ofSource: Partial<SearchedSource> = {},
): SearchAnswer => ({
  query: 'zebra',
  hits: [],
  matchingPages: 0,
  isAll: true,
  sources: [{ ...source, ...ofSource }],
  repairs: [],
  misses: [],
  ...own,
})

test('numbers agree with their nouns', () => {
  const text = renderSearch(answer({}, { forbidden: 1, failed: 2 }))
  expect(text.split('\n')).toEqual([
    'No section matches "zebra" (2 sections of 1 page, sitemap).',
    'Search for one or two words that the documentation uses.',
    '[robots.txt forbids 1 page]',
    '[2 pages could not be read]',
  ])
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
