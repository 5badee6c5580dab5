import type { System } from '../inspired-by.ts'

const rows = 'apps/docs-mcp/test/compat.test.ts'
const site = 'packages/docs/test/snowflake.test.ts'

export const snowflake: System = {
  title: 'A documentation server for Snowflake',
  text: 'A search, a table of contents, one section, a search in the page, and pages in parts, with their original names in `docs-mcp --compat snowflake`.',
  behaviours: [
    {
      behaviour: 'asks the search of the site; excerpts have at most 200 characters',
      place: 'packages/sites/src/site-search/snowflake/snowflake.ts',
      test: ['packages/docs/test/answers.test.ts', 'an excerpt has at most 200 characters'],
      difference: '`search_docs` shows sections; excerpts are for `--compat` and the library',
    },
    {
      behaviour: 'reads the build id of the site once, and again when it is out of date',
      place: 'packages/sites/src/site-search/snowflake/snowflake.ts',
      test: [
        site,
        'an id that is not known any more is read again, once, and the question asked again',
      ],
    },
    {
      behaviour: 'searches English or Japanese',
      place: 'packages/sites/src/site-search/snowflake/snowflake.ts',
      test: [site, 'Japanese is asked for in Japanese, whichever way the tag is written'],
      difference: 'a Japanese query needs no `language`',
    },
    {
      behaviour: 'lists up to 30 headings of each result, of a longer page levels 1 to 3',
      place: 'packages/docs/src/search/complete-hit.ts',
      test: [
        'packages/docs/test/answers.test.ts',
        'lists up to 30 headings of a page, of a longer one the upper levels',
      ],
      difference: 'the others are counted',
    },
    {
      behaviour: 'lists the sections of a page with titles and ids',
      place: 'packages/docs/src/questions/toc.ts',
      test: [
        'packages/docs/test/answers.test.ts',
        'names a section by its title, and by its id where titles repeat',
      ],
      difference: 'ids only where titles repeat; with token counts',
    },
    {
      behaviour: 'returns one section by its id',
      place: 'packages/docs/src/section/pick-section.ts',
      test: [rows, 'get_doc_section: section_id'],
      difference: 'a title works too',
    },
    {
      behaviour: 'searches in a page: 3 sections, 5,000 characters together',
      place: 'packages/docs/src/questions/find.ts',
      test: [rows, 'search_in_doc: max_sections'],
      difference: '`search_in_doc` without `--compat`: 6 sections, 3,000 characters',
    },
    {
      behaviour: 'scores sections: 10 for a word in the heading, 1 for one in the text',
      place: 'packages/scorer/src/rank/create-ranker.ts',
      test: [rows, 'search_in_doc: query'],
      difference: 'not the same: words weigh by rarity; Japanese is segmented',
    },
    {
      behaviour: 'cuts a long page into parts that add up, from `start_index`',
      place: 'packages/docs/src/excerpt/excerpt.ts',
      test: [rows, 'get_doc_content: start_index'],
      difference: '`page` tokens, too, which detect a changed page',
    },
    {
      behaviour:
        'cuts at a paragraph, else a line, a sentence, a word, within the last 200 characters',
      place: 'packages/paginator/src/choose-end.ts',
      test: [
        'packages/paginator/test/paginate.test.ts',
        'at a paragraph, line, sentence or word in the last 200 characters',
      ],
      difference: 'between blocks where possible; code is not cut where it fits',
    },
    {
      behaviour: 'caps every length: 0 is 20,000, negative is 5,000, more is 20,000',
      place: 'packages/paginator/src/resolve-length.ts',
      test: ['packages/paginator/test/resolve-length.test.ts', '%s is %s'],
    },
    {
      behaviour: 'leaves code out unless it is requested',
      place: 'packages/docs/src/excerpt/excerpt.ts',
      test: [
        'packages/docs/test/answers.test.ts',
        'has stand-ins for code, counted, unless code is asked for',
      ],
      difference: 'a placeholder with language and length; inline code stays',
    },
    {
      behaviour: 'turns HTML into Markdown without permalinks, buttons, forms and navigation',
      place: 'packages/cleaner/src/noise/rehype-strip-noise.ts',
      test: [rows, 'get_doc_content: url'],
    },
    {
      behaviour: 'repeats no text of nested lists and sections',
      place: 'packages/cleaner/src/clean-visible.ts',
      test: [
        'packages/cleaner/test/clean-html.test.ts',
        'any soup of tags gives a page whose text was in the soup, and not more often',
      ],
    },
    {
      behaviour: 'holds 50 pages in memory, those read last',
      place: 'packages/docs/src/page/page-reader.ts',
      test: [
        'packages/docs/test/page-memory.test.ts',
        'fifty pages are held in memory, those read last',
      ],
      difference: 'a cache on disk behind it',
    },
    {
      behaviour: 'holds a page for five minutes',
      place: 'packages/docs/src/page/page-reader.ts',
      test: ['packages/docs/test/page-memory.test.ts', 'a page is held for five minutes'],
    },
    {
      behaviour: 'fetches a page once for concurrent calls',
      place: 'packages/docs/src/page/page-reader.ts',
      test: [
        'packages/docs/test/fetching.test.ts',
        'a page asked for many times at once is fetched once',
      ],
    },
  ],
}
