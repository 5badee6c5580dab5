import { expect } from 'vitest'
import type { Row } from './row.ts'

const guide = '/lambda/latest/dg/'
const quotas = `${guide}gettingstarted-limits.html`
const json = (text: string) => JSON.parse(text)
interface Sent {
  textQuery: { input: string }
  contextAttributes: { key: string; value: string }[]
  locales: string[]
}
const sent = (body: string | undefined): Sent => JSON.parse(body ?? '{}') as Sent

export const awsRows: readonly Row[] = [
  {
    tool: 'search_documentation',
    parameter: 'search_phrase',
    theirs: 'queries the search API; queries with “neuron” also the Neuron site',
    ours: 'the same query; if the API fails, titles of llms.txt, with a `note`',
    async check({ call }, service) {
      const { text, isError } = await call('search_documentation', {
        search_phrase: 'install neuron',
      })
      expect(isError).toBe(false)
      const { search_results, query_id, facets, metadata } = json(text)
      expect(search_results[0]).toMatchObject({
        rank_order: 1,
        url: `${service.url}${guide}guide/install.html`,
        title: 'Install',
        context: expect.stringMatching(/^How to install/),
        sections: ['Linux', 'See also'],
        recommended_sections: ['Linux'],
        metadata: {
          additional_urls: [
            {
              url: `${service.url}${guide}guide/install.html`,
              section_title: 'Linux',
              section_anchor: 'linux',
            },
          ],
        },
      })
      expect(query_id).toBe('q-1')
      expect(facets).toEqual({
        product_types: ['AWS Lambda', 'Amazon S3'],
        guide_types: ['Developer Guide', 'API Reference'],
      })
      expect(metadata).toEqual({
        discovered_services: [{ name: 'AWS Lambda', description: 'Runs functions' }],
      })
      const question = sent(service.questions().at(-1)?.body)
      expect(question.textQuery.input).toBe('install neuron')
      expect(question.locales).toEqual(['en_us'])
      expect(question.contextAttributes.map(({ value }) => value)).toEqual([
        'docs.aws.amazon.com',
        'awsdocs-neuron.readthedocs-hosted.com',
      ])
      service.weather = 'down'
      const failed = json((await call('search_documentation', { search_phrase: 'install' })).text)
      service.weather = 'fair'
      expect(failed.note).toMatch(/Error searching AWS docs: .*status 500/)
      expect(failed.search_results[0].url).toBe(`${service.url}${guide}guide/install.html`)
    },
  },
  {
    tool: 'search_documentation',
    parameter: 'search_intent',
    theirs: 'empty; sent as `search_intent`, with single blanks',
    ours: 'the same',
    async check({ call, schema }, service) {
      expect((await schema('search_documentation'))['search_intent']?.default).toBe('')
      await call('search_documentation', {
        search_phrase: 'install',
        search_intent: ' set  up\na function ',
      })
      expect(service.questions().at(-1)?.query.get('search_intent')).toBe('set up a function')
      await call('search_documentation', { search_phrase: 'install' })
      expect(service.questions().at(-1)?.query.has('search_intent')).toBe(false)
    },
  },
  {
    tool: 'search_documentation',
    parameter: 'limit',
    theirs: '10, 1–50',
    ours: 'the same; `omitted_results` counts results that do not fit the reply',
    async check({ call, schema }) {
      expect((await schema('search_documentation'))['limit']).toMatchObject({
        default: 10,
        minimum: 1,
        maximum: 50,
      })
      const { text } = await call('search_documentation', { search_phrase: 'install', limit: 2 })
      expect(json(text).search_results).toHaveLength(2)
      for (const limit of [0, 51])
        expect(
          (await call('search_documentation', { search_phrase: 'install', limit })).isError,
        ).toBe(true)
    },
  },
  {
    tool: 'search_documentation',
    parameter: 'product_types',
    theirs: 'values of the facet',
    ours: 'the same',
    async check({ call }, service) {
      const { text } = await call('search_documentation', {
        search_phrase: 'install',
        product_types: ['Amazon S3'],
      })
      expect(json(text).search_results).toEqual([])
      expect(sent(service.questions().at(-1)?.body).contextAttributes).toContainEqual({
        key: 'aws-docs-search-product',
        value: 'Amazon S3',
      })
    },
  },
  {
    tool: 'search_documentation',
    parameter: 'guide_types',
    theirs: 'values of the facet',
    ours: 'the same',
    async check({ call }, service) {
      await call('search_documentation', {
        search_phrase: 'install',
        guide_types: ['API Reference'],
      })
      expect(sent(service.questions().at(-1)?.body).contextAttributes).toContainEqual({
        key: 'aws-docs-search-guide',
        value: 'API Reference',
      })
    },
  },
  {
    tool: 'read_documentation',
    parameter: 'url',
    theirs: 'docs.aws.amazon.com and the Neuron site, ending in `.html`',
    ours: 'the same, with the same error texts; `#fragment` is allowed',
    async check({ call }, service) {
      const url = `${service.url}${quotas}`
      const { text } = await call('read_documentation', {
        url: `${url}#configuration`,
        max_length: 400,
      })
      expect(text).toMatch(/^AWS Documentation from http.*:\n\n/)
      expect(text).toContain('# Lambda quotas')
      expect(text).not.toMatch(/markdown version of this page|Did this page help|Copy|¶/)
      const elsewhere = await call('read_documentation', { url: 'https://example.com/a.html' })
      expect(elsewhere).toMatchObject({ isError: true })
      expect(elsewhere.text).toContain('URL must be from list of supported domains')
      const folder = await call('read_documentation', { url: `${service.url}${guide}` })
      expect(folder).toMatchObject({
        isError: true,
        text: expect.stringContaining('URL must end with .html. Pass'),
      })
      const gone = await call('read_documentation', { url: `${service.url}/gone.html` })
      expect(gone.isError).toBe(true)
      expect(gone.text).toContain(`Failed to fetch ${service.url}/gone.html - status code 404`)
    },
  },
  {
    tool: 'read_documentation',
    parameter: 'max_length',
    theirs: '5000, above 0, below 1,000,000; cut anywhere',
    ours: 'the same bounds; a reply has at most 20,000 of text and ends between blocks',
    async check({ call, schema }, service) {
      expect((await schema('read_documentation'))['max_length']).toMatchObject({
        default: 5000,
        exclusiveMinimum: 0,
        exclusiveMaximum: 1_000_000,
      })
      const url = `${service.url}${quotas}`
      const { text } = await call('read_documentation', { url, max_length: 300 })
      expect(text).toMatch(
        /\n\n<e>Content truncated\. Call the read_documentation tool with start_index=\d+ to get more content\.<\/e>$/,
      )
      expect(text.split('<page_text>\n')[1]?.split('\n</page_text>')[0]).toMatch(/\n$|\.$/)
      for (const max_length of [0, -1, 1_000_000])
        expect((await call('read_documentation', { url, max_length })).isError).toBe(true)
    },
  },
  {
    tool: 'read_documentation',
    parameter: 'start_index',
    theirs: '0 and above; past the end `<e>No more content available.</e>`',
    ours: 'the same',
    async check({ call }, service) {
      const url = `${service.url}${quotas}`
      const part = async (args: object) => (await call('read_documentation', { url, ...args })).text
      const body = (text: string) =>
        text.split('<page_text>\n')[1]?.split('\n</page_text>')[0] ?? ''
      let whole = ''
      for (let start: string | undefined = '0'; start !== undefined; ) {
        const text = await part({ start_index: Number(start), max_length: 400 })
        whole += body(text)
        start = /start_index=(\d+)/.exec(text)?.[1]
      }
      expect(whole).toBe(body(await part({ max_length: 19_000 })))
      expect(await part({ start_index: 999_999 })).toBe(
        `AWS Documentation from ${url}:\n\n<e>No more content available.</e>`,
      )
      expect((await call('read_documentation', { url, start_index: -1 })).isError).toBe(true)
    },
  },
  {
    tool: 'read_documentation',
    parameter: 'long tables',
    theirs: 'tables with more than 20 rows show 5 and name `search_table`',
    ours: 'the same, with the id of the section in the call',
    async check({ call }, service) {
      const url = `${service.url}${quotas}`
      const { text } = await call('read_documentation', { url, max_length: 19_000 })
      expect(text).toContain(
        'Table truncated (showing 5 of 30 rows). Use the `search_table` tool to find specific rows.',
      )
      expect(text).toContain(
        `search_table(url="${url}", section_title="model-requests", query="your search term")`,
      )
      expect(text).toContain('model 5|')
      expect(text).not.toContain('model 6|')
      expect(text).toContain('|Deployment package size|zipped|50 MB|')
    },
  },
  {
    tool: 'read_sections',
    parameter: 'url',
    theirs: 'as read_documentation',
    ours: 'the same',
    async check({ call }) {
      const { text, isError } = await call('read_sections', {
        url: 'https://example.com/a.html',
        section_titles: ['A'],
      })
      expect({ isError, text }).toMatchObject({
        isError: true,
        text: expect.stringContaining('supported domains'),
      })
    },
  },
  {
    tool: 'read_sections',
    parameter: 'section_titles',
    theirs: 'headings of level 2, ignoring case and blanks',
    ours: 'headings of every level, or ids; each with its subsections; all sections with the same title',
    async check({ call }, service) {
      const url = `${service.url}${quotas}`
      const read = (...section_titles: string[]) => call('read_sections', { url, section_titles })
      expect((await read('  compute AND   storage ')).text).toMatch(
        /## Compute and storage[\s\S]*#### For one Region/,
      )
      const deep = (await read('For one Region')).text
      expect(deep).toContain('A request counts for the Region')
      expect(deep).not.toContain('Raising quotas\n')
      const both = (await read('Prerequisites')).text
      expect(both).toContain('An account.')
      expect(both).toContain('A role.')
      const cut = await call('read_sections', {
        url: `${service.url}${guide}long.html`,
        section_titles: ['Long'],
      })
      const [, token] = /page="([^"]+)"/.exec(cut.text) ?? []
      const next = { url: `${service.url}${guide}long.html`, section_titles: ['long'], page: token }
      expect((await call('read_sections', next)).text).toContain('The last paragraph.')
      const several = await call('read_sections', { ...next, section_titles: ['long', 'Other'] })
      expect(several).toMatchObject({
        isError: true,
        text: expect.stringContaining('page goes on with one section'),
      })
      const many = await call('read_sections', {
        url: `${service.url}${guide}long.html`,
        section_titles: ['Example', 'Other'],
      })
      const [, more] = /\[11 more sections: read_sections\((.*)\)\]$/m.exec(many.text) ?? []
      expect(more).toContain('"example-29"')
      const whole = await call('read_sections', {
        url: `${service.url}${guide}long.html`,
        section_titles: ['Example', 'Example'],
      })
      expect(whole.text).toContain('[10 more sections:')
      const huge = await read(
        'x'.repeat(30_000),
        ...Array.from({ length: 3_000 }, (_, at) => `t${at}`),
      )
      expect(huge.isError).toBe(true)
      expect(huge.text.length).toBeLessThan(21_500)
      const some = (await read('API requests', 'Nothing here')).text
      expect(some).toContain('Quotas of the Lambda API.')
      expect(some).toContain(
        'Note: The following requested sections were not found: "Nothing here"',
      )
      const none = await read('Nothing here')
      expect(none.isError).toBe(true)
      expect(none.text).toContain(
        'No matching sections were found: "Nothing here". Available sections: "Compute and storage", "Raising quotas"',
      )
      expect(none.text).toContain(
        'Please retry with one or more of these sections or use the read_documentation tool instead',
      )
      expect(await read()).toMatchObject({
        isError: true,
        text: expect.stringContaining('section_titles parameter cannot be empty'),
      })
      const alone = await call('read_sections', {
        url: `${service.url}${guide}no-sections.html`,
        section_titles: ['A'],
      })
      expect(alone).toMatchObject({
        isError: true,
        text: expect.stringContaining('This document does not contain subsections.'),
      })
      expect((await read('Requests for each model')).text).toContain(
        'Table truncated (showing 5 of 30 rows)',
      )
    },
  },
  {
    tool: 'search_table',
    parameter: 'url',
    theirs: 'as read_documentation; rows as JSON objects',
    ours: 'the same; rows are flat and repeat spanning cells, so `parent_columns` is not needed',
    async check({ call }, service) {
      const url = `${service.url}${quotas}`
      const { text } = await call('search_table', { url, query: 'unzipped deployment package' })
      const answer = json(text)
      expect(answer).toMatchObject({
        url,
        query: 'unzipped deployment package',
        tables_searched: 2,
        tables_with_matches: 1,
      })
      expect(answer.results).toEqual([
        {
          table_heading: 'Function configuration, deployment, and execution',
          columns: ['Resource', 'Kind', 'Quota'],
          total_rows: 3,
          matched_rows: 1,
          showing: 1,
          rows: [{ Resource: 'Deployment package size', Kind: 'unzipped', Quota: '250 MB' }],
        },
      ])
      const without = json(
        (await call('search_table', { url: `${service.url}${guide}no-sections.html`, query: 'x' }))
          .text,
      )
      expect(without).toMatchObject({ results: [], hint: 'No tables found on this page.' })
      expect(await call('search_table', { url: `${service.url}/`, query: 'x' })).toMatchObject({
        isError: true,
      })
    },
  },
  {
    tool: 'search_table',
    parameter: 'section_title',
    theirs: 'headings of level 1 to 3; default: all tables',
    ours: 'headings of every level',
    async check({ call }, service) {
      const url = `${service.url}${quotas}`
      const find = async (section_title: string, query: string) =>
        json((await call('search_table', { url, section_title, query })).text)
      expect(await find('Requests for each model', 'model 7')).toMatchObject({
        section_title: 'Requests for each model',
        tables_searched: 1,
        results: [
          {
            total_rows: 30,
            matched_rows: 1,
            rows: [{ Name: 'Function requests for model 7', Adjustable: 'Yes' }],
          },
        ],
      })
      expect(await find('Nothing', 'x')).toMatchObject({
        results: [],
        hint: expect.stringMatching(
          /^Section "Nothing" not found\. Available sections: "Compute and storage"/,
        ),
      })
      // Both sections of that name are searched.
      expect(await find('Prerequisites', 'x')).toMatchObject({
        hint: 'No table found in section "Prerequisites"',
      })
      expect(await find('For one Region', 'x')).toMatchObject({
        hint: 'No table found in section "For one Region"',
      })
    },
  },
  {
    tool: 'search_table',
    parameter: 'query',
    theirs: 'all words in one row; no match is a hint',
    ours: 'the same',
    async check({ call }, service) {
      const url = `${service.url}${quotas}`
      const { text } = await call('search_table', { url, query: 'model zebra' })
      expect(json(text)).toMatchObject({
        tables_with_matches: 0,
        results: [],
        hint: expect.stringMatching(
          /^No rows matched all query words\. Try fewer or broader terms/,
        ),
      })
      expect(await call('search_table', { url, query: '  ' })).toMatchObject({
        isError: true,
        text: expect.stringContaining('query parameter cannot be empty'),
      })
    },
  },
  {
    tool: 'search_table',
    parameter: 'max_rows',
    theirs: '20, 1–100, of each table',
    ours: 'the same; rows left out are counted in `hint`',
    async check({ call, schema }, service) {
      expect((await schema('search_table'))['max_rows']).toMatchObject({
        default: 20,
        minimum: 1,
        maximum: 100,
      })
      const url = `${service.url}${quotas}`
      const { text } = await call('search_table', { url, query: 'function requests', max_rows: 3 })
      expect(json(text)).toMatchObject({
        results: [{ matched_rows: 30, showing: 3 }],
        hint: expect.stringContaining('Showing 3 of 30 rows'),
      })
      expect((await call('search_table', { url, query: 'x', max_rows: 101 })).isError).toBe(true)
      const wide = await call('search_table', {
        url: `${service.url}${guide}wide.html`,
        query: 'needle',
        max_rows: 100,
      })
      const { results, hint } = json(wide.text)
      const shown = results.reduce((sum: number, one: { showing: number }) => sum + one.showing, 0)
      expect(wide.text.length).toBeLessThan(21_500)
      expect(hint).toContain(`Showing ${shown} of 400 rows`)
    },
  },
  {
    tool: 'recommend',
    parameter: 'url',
    theirs: 'highly rated, journey, new, similar',
    ours: 'the same, in that order',
    async check({ call }, service) {
      const { text } = await call('recommend', { url: `${service.url}${quotas}` })
      expect(json(text)).toEqual([
        { url: `${service.url}${guide}guide/install.html`, title: 'Install', context: 'How to' },
        {
          url: `${service.url}${guide}guide/upgrade.html`,
          title: 'Upgrade',
          context: 'Intent: Set up',
        },
        {
          url: `${service.url}${guide}reference/cli.html`,
          title: 'Command line',
          context: 'New content added on 2026-03-01',
        },
        {
          url: `${service.url}${guide}reference/config.html`,
          title: 'Settings',
          context: 'Like it',
        },
      ])
      expect(service.requests.at(-1)?.query.get('path')).toBe(`${service.url}${quotas}`)
    },
  },
  {
    tool: 'get_links',
    parameter: 'url',
    theirs: 'no such tool: links are in the text',
    ours: 'the links of a page, which the text omits',
    async check({ call }, service) {
      const before = service.requests.length
      const { text, isError } = await call('get_links', { url: `${service.url}${quotas}` })
      expect(isError).toBe(false)
      // Links are in the page: neither recommendations nor a table of contents are requested.
      expect(service.requests.length - before).toBeLessThanOrEqual(1)
      expect(text).toContain(`- concurrency ${service.url}${guide}configuration-concurrency.html`)
    },
  },
  {
    tool: 'get_links',
    parameter: 'section_title',
    theirs: 'no such tool',
    ours: 'only links of this section',
    async check({ call }, service) {
      const args = { url: `${service.url}${quotas}`, section_title: 'Requests for each model' }
      const { text } = await call('get_links', args)
      expect(text).toContain('https://console.aws.amazon.com/servicequotas/1')
      expect(text).not.toContain('configuration-concurrency')
    },
  },
]

const services = '/en_us/aws/latest/userguide/services.html'

export const chinaRows: readonly Row[] = [
  {
    tool: 'read_documentation',
    parameter: 'url',
    theirs: 'docs.amazonaws.cn, ending in `.html`',
    ours: 'the same, with the same words in errors',
    async check({ call }, service) {
      const { text } = await call('read_documentation', { url: service.url + services })
      expect(text).toContain('Services differ in China.')
      const elsewhere = await call('read_documentation', {
        url: 'https://docs.aws.amazon.com/a.html',
      })
      expect(elsewhere.isError).toBe(true)
      expect(elsewhere.text).toMatch(
        /Invalid URL: https:\/\/docs\.aws\.amazon\.com\/a\.html\. URL must be from the .* domain/,
      )
    },
  },
  {
    tool: 'read_documentation',
    parameter: 'max_length',
    theirs: '5000',
    ours: 'as in the other partition',
    async check({ call }, service) {
      const { text } = await call('read_documentation', {
        url: service.url + services,
        max_length: 20,
      })
      expect(text).toContain('<e>Content truncated.')
    },
  },
  {
    tool: 'read_documentation',
    parameter: 'start_index',
    theirs: '0',
    ours: 'as in the other partition',
    async check({ call }, service) {
      const { text } = await call('read_documentation', {
        url: service.url + services,
        start_index: 5_000,
      })
      expect(text).toContain('<e>No more content available.</e>')
    },
  },
  {
    tool: 'get_available_services',
    parameter: 'no parameter',
    theirs:
      'the page of services and the pages of its contents, without those that are unsupported',
    ours: 'the same; a long list goes on with `start_index`',
    async check({ call }, service) {
      const { text, isError } = await call('get_available_services', {})
      expect(isError).toBe(false)
      expect(text).toContain('Services differ in China.')
      expect(text).toContain('## Services in Amazon Web Services China')
      expect(text).toContain(
        `- [Install](${service.url}/en_us/aws/latest/userguide/guide/install.html)`,
      )
      expect(text).not.toMatch(/Unsupported|Install differences|Overview/)
      expect((await call('get_available_services', { start_index: 9_999 })).text).toContain(
        'No more content',
      )
    },
  },
  {
    tool: 'get_links',
    parameter: 'url',
    theirs: 'no such tool: links are in the text',
    ours: 'the links of a page, which the text omits',
    async check({ call }, service) {
      const { text, isError } = await call('get_links', { url: `${service.url}${services}` })
      expect(isError).toBe(false)
      expect(text).toContain(`${service.url}/en_us/aws/latest/userguide/endpoints.html`)
    },
  },
]
