import type { System } from '../inspired-by.ts'

const rows = 'apps/docs-mcp/test/compat.test.ts'

export const aws: System = {
  title: 'The documentation server of AWS',
  text: 'Its tools and texts in `docs-mcp --compat aws`, and the search and recommendations of the site in `docs-mcp` itself.',
  behaviours: [
    {
      behaviour: 'reads a page from `start_index` on; the end of a part names the next call',
      place: 'apps/docs-mcp/src/compat/aws/read-documentation.ts',
      test: [rows, 'read_documentation: start_index'],
    },
    {
      behaviour: 'returns 5,000 characters, below 1,000,000 on request',
      place: 'apps/docs-mcp/src/compat/aws/read-documentation.ts',
      test: [rows, 'read_documentation: max_length'],
      difference: 'a reply has at most 20,000 characters of text',
    },
    {
      behaviour: 'shows 5 rows of a table with more than 20, and names `search_table`',
      place: 'apps/docs-mcp/src/compat/aws/long-tables.ts',
      test: [rows, 'read_documentation: long tables'],
    },
    {
      behaviour: 'refuses other domains, and addresses that do not end in `.html`',
      place: 'apps/docs-mcp/src/compat/aws/check-url.ts',
      test: [rows, 'read_documentation: url'],
      difference: 'a fragment is allowed',
    },
    {
      behaviour: 'asks the search API of the site, and the Neuron site if the query names it',
      place: 'packages/sites/src/site-search/aws/search.ts',
      test: [rows, 'search_documentation: search_phrase'],
      difference: 'if the API fails, titles of llms.txt',
    },
    {
      behaviour: 'reads sections by their titles',
      place: 'apps/docs-mcp/src/compat/aws/read-sections.ts',
      test: [rows, 'read_sections: section_titles'],
      difference: 'every level, not only 2; ids too',
    },
    {
      behaviour: 'finds rows of tables that have all words, as JSON objects',
      place: 'apps/docs-mcp/src/compat/aws/search-table.ts',
      test: [rows, 'search_table: url'],
      difference: 'rows are flat: a cell that spans rows stands in each of them',
    },
    {
      behaviour: 'recommends pages: highly rated, journey, new, similar',
      place: 'apps/docs-mcp/src/compat/aws/recommend.ts',
      test: [rows, 'recommend: url'],
    },
    {
      behaviour: 'keeps links in the text',
      place: 'apps/docs-mcp/src/compat/aws/get-links.ts',
      test: [rows, 'get_links: url'],
      difference: 'not the same: text has no links, `get_links` lists them',
    },
    {
      behaviour: 'reads the partition in China, and lists its services',
      place: 'apps/docs-mcp/src/compat/aws/get-available-services.ts',
      test: [rows, 'get_available_services: no parameter'],
    },
    {
      behaviour: 'reports the page, the search and the sections that are read',
      place: 'apps/docs-mcp/src/compat/aws/read-documentation.ts',
      difference: 'not built, on purpose: reading reports nothing',
    },
  ],
}
