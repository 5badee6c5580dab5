import { expect } from 'vitest'
import type { Row } from './row.ts'

const page = '/en/sql-reference/sql/create-table'
const text = (reply: string) => reply.split('<page_text>\n')[1]?.split('\n</page_text>')[0] ?? ''

export const snowflakeRows: readonly Row[] = [
  {
    tool: 'search_snowflake_docs',
    parameter: 'query',
    theirs: 'the search of the site; excerpts of 200 characters',
    ours: 'the same search; the best section of each page; if it fails, titles of llms.txt, with a note',
    async check({ call }, service) {
      const { text: reply } = await call('search_snowflake_docs', { query: 'install' })
      expect(reply).toContain(`${service.url}/en/guide/install#install`)
      expect(reply).toContain('Snowflake documentation search')
      service.weather = 'down'
      const less = (await call('search_snowflake_docs', { query: 'install' })).text
      service.weather = 'fair'
      expect(less).toContain(`${service.url}/en/guide/install`)
      expect(less).toMatch(/\[Snowflake documentation search failed, searched titles only: .*500/)
    },
  },
  {
    tool: 'search_snowflake_docs',
    parameter: 'max_results',
    theirs: '5, 1–20',
    ours: 'the same; values outside are set to the nearest bound',
    async check({ call, schema }) {
      expect((await schema('search_snowflake_docs'))['max_results']?.default).toBe(5)
      const shown = async (max_results: number) =>
        (await call('search_snowflake_docs', { query: 'install', max_results })).text.match(
          /^http/gm,
        )?.length
      expect(await shown(2)).toBe(2)
      expect(await shown(0)).toBe(1)
      expect(await shown(500)).toBe(5)
    },
  },
  {
    tool: 'search_snowflake_docs',
    parameter: 'language',
    theirs: '`en` or `ja`',
    ours: 'the same; any other value searches English, with a note',
    async check({ call }, service) {
      const reply = (await call('search_snowflake_docs', { query: 'install', language: 'ja' })).text
      expect(reply).toContain(`${service.url}/ja/guide/install`)
      const other = (await call('search_snowflake_docs', { query: 'install', language: 'de' })).text
      expect(other).toContain('[that language is not available: searched en (languages: en, ja)]')
    },
  },
  {
    tool: 'search_snowflake_docs',
    parameter: 'include_headings',
    theirs:
      'off; at most 30 headings of a page, above that only levels 1–3; pages are read in parallel',
    ours: 'the same; headings left out are counted with the call that lists them',
    async check({ call, schema }) {
      expect((await schema('search_snowflake_docs'))['include_headings']?.default).toBe(false)
      const reply = (
        await call('search_snowflake_docs', { query: 'many install steps', include_headings: true })
      ).text
      const many = reply.split('\n\n').find((hit) => hit.includes('/en/many')) ?? ''
      expect(many.match(/^ *- /gm)).toHaveLength(21)
      expect(many).toContain('- Part 19')
      expect(many).not.toContain('- Detail')
      expect(many).toMatch(/\[20 more headings: get_doc_toc\(/)
    },
  },
  {
    tool: 'get_doc_toc',
    parameter: 'url',
    theirs: 'ids and titles',
    ours: 'titles with their token counts, ids for ambiguous titles; parameters too',
    async check({ call }, service) {
      const reply = (await call('get_doc_toc', { url: service.url + page })).text
      expect(text(reply)).toMatch(/- CREATE TABLE ~\d+.*\n {2}- Syntax ~\d+/)
      expect(text(reply)).toMatch(/- DATA_RETENTION_TIME_IN_DAYS = integer ~\d+/)
      const elsewhere = await call('get_doc_toc', { url: 'http://127.0.0.1:1/' })
      expect(elsewhere.isError).toBe(true)
    },
  },
  {
    tool: 'get_doc_section',
    parameter: 'url',
    theirs: 'a page of docs.snowflake.com',
    ours: 'the same; `--only` is set to the site unless it is given',
    async check({ call }) {
      const elsewhere = await call('get_doc_section', {
        url: 'https://example.com/',
        section_id: 'a',
      })
      expect(elsewhere).toMatchObject({
        isError: true,
        text: expect.stringContaining('not one of the allowed hosts'),
      })
    },
  },
  {
    tool: 'get_doc_section',
    parameter: 'section_id',
    theirs: 'id of a section',
    ours: 'id or title',
    async check({ call }, service) {
      const read = async (section_id: string) =>
        text((await call('get_doc_section', { url: service.url + page, section_id })).text)
      expect(await read('ctas-examples')).toMatch(/^### CTAS examples/)
      expect(await read('Optional parameters')).toContain('Specifies a comment for the table.')
      const wrong = await call('get_doc_section', {
        url: service.url + page,
        section_id: 'nothing',
      })
      expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('get_doc_toc(') })
    },
  },
  {
    tool: 'get_doc_section',
    parameter: 'include_code_blocks',
    theirs: 'off; all code is deleted, inline code too',
    ours: 'off; a placeholder with language and length replaces a block of more than 5 lines; inline code stays',
    async check({ call, schema }, service) {
      expect((await schema('get_doc_section'))['include_code_blocks']?.default).toBe(false)
      const read = async (include_code_blocks: boolean) =>
        text(
          (
            await call('get_doc_section', {
              url: service.url + page,
              section_id: 'ctas-examples',
              include_code_blocks,
            })
          ).text,
        )
      expect(await read(false)).toMatch(/\[code sql, 14 lines/)
      expect(await read(true)).toContain('CREATE TABLE mytable_copy')
      expect(
        text(
          (
            await call('get_doc_section', {
              url: service.url + page,
              section_id: 'optional-parameters',
            })
          ).text,
        ),
      ).toContain('`UNDROP`')
    },
  },
  {
    tool: 'get_doc_section',
    parameter: 'max_length',
    theirs: '5000; 0 is 20,000; negative is 5000; more is cut to 20,000',
    ours: 'the same; `page` continues',
    async check({ call, schema }, service) {
      expect((await schema('get_doc_section'))['max_length']?.default).toBe(5000)
      const args = { url: service.url + page, section_id: 'create-table' }
      const part = (await call('get_doc_section', { ...args, max_length: 300 })).text
      expect(text(part).length).toBeLessThanOrEqual(300)
      const [, token] = /section_id="create-table", page="([^"]+)"\)\]/.exec(part) ?? []
      const next = (await call('get_doc_section', { ...args, max_length: 300, page: token })).text
      expect(text(next)).not.toBe(text(part))
      for (const max_length of [0, -5, 1_000_000])
        expect(text((await call('get_doc_section', { ...args, max_length })).text)).toContain(
          '### CTAS examples',
        )
    },
  },
  {
    tool: 'search_in_doc',
    parameter: 'url',
    theirs: 'a page of docs.snowflake.com',
    ours: 'the same',
    async check({ call }) {
      expect(
        (await call('search_in_doc', { url: 'https://example.com/', query: 'a' })).isError,
      ).toBe(true)
    },
  },
  {
    tool: 'search_in_doc',
    parameter: 'query',
    theirs: 'words split at blanks; heading 10, occurrence 1',
    ours: 'words of any language, weighted by rarity; the section itself instead of its parent',
    async check({ call }, service) {
      const ctas = text(
        (
          await call('search_in_doc', {
            url: service.url + page,
            query: 'CTAS examples',
            max_sections: 1,
          })
        ).text,
      )
      expect(ctas).toMatch(/^### CTAS examples/)
      const url = `${service.url}/ja/user-guide/tables-clustering-micropartitions`
      const found = text(
        (
          await call('search_in_doc', {
            url,
            query: 'マイクロパーティション 利点',
            max_sections: 1,
          })
        ).text,
      )
      expect(found).toMatch(/^## マイクロパーティション分割の利点/)
    },
  },
  {
    tool: 'search_in_doc',
    parameter: 'max_sections',
    theirs: '3',
    ours: '3, 1–10',
    async check({ call, schema }, service) {
      expect((await schema('search_in_doc'))['max_sections']?.default).toBe(3)
      const args = { url: service.url + page, query: 'syntax required optional basic' }
      const sections = async (max_sections?: number) => {
        const found = (await call('search_in_doc', { ...args, max_sections })).text
        return found.match(/^<page_text>/gm)?.length
      }
      expect([await sections(1), await sections(2), await sections()]).toEqual([1, 2, 3])
    },
  },
  {
    tool: 'search_in_doc',
    parameter: 'include_code_blocks',
    theirs: 'off',
    ours: 'the same, as in get_doc_section',
    async check({ call }, service) {
      const args = { url: service.url + page, query: 'CTAS examples', max_sections: 1 }
      expect((await call('search_in_doc', args)).text).not.toContain('mytable_copy')
      expect((await call('search_in_doc', { ...args, include_code_blocks: true })).text).toContain(
        'mytable_copy',
      )
    },
  },
  {
    tool: 'search_in_doc',
    parameter: 'max_length',
    theirs: '5000',
    ours: 'the same, for all sections together',
    async check({ call }, service) {
      const found = (
        await call('search_in_doc', { url: service.url + page, query: 'table', max_length: 400 })
      ).text
      const texts = [...found.matchAll(/<page_text>\n([\s\S]*?)\n<\/page_text>/g)].map(
        ([, part = '']) => part,
      )
      expect(texts.join('').length).toBeLessThanOrEqual(400)
    },
  },
  {
    tool: 'search_in_doc',
    parameter: 'lengths',
    theirs: '`content_length` of each section, `total_content_chars` of all',
    ours: 'the same, in the last line of the text and as figures',
    async check({ call }, service) {
      const args = { url: service.url + page, query: 'syntax required optional basic' }
      const found = (await call('search_in_doc', args)).text
      const parts = [...found.matchAll(/<page_text>\n([\s\S]*?)\n<\/page_text>/g)]
      const [, lengths = '', total] =
        /\n\[content_length: ([\d, ]+); total_content_chars: (\d+)\]$/.exec(found) ?? []
      const each = lengths.split(', ').map(Number)
      expect(each).toHaveLength(3)
      expect(each.reduce((sum, one) => sum + one, 0)).toBe(Number(total))
      const shown = parts.reduce((sum, [, part = '']) => sum + part.length, 0)
      expect(Number(total)).toBe(shown)
    },
  },
  {
    tool: 'get_doc_content',
    parameter: 'url',
    theirs: 'a page of docs.snowflake.com, as Markdown without noise',
    ours: 'the same',
    async check({ call }, service) {
      const whole = text((await call('get_doc_content', { url: service.url + page })).text)
      expect(whole).toMatch(/^# CREATE TABLE\n/)
      expect(whole).not.toMatch(/¶|\bCopy\b|Link to this|_images|Was this page|START FOR FREE|\]\(/)
      expect(whole.match(/Specifies a comment for the table/g)).toHaveLength(1)
      expect((await call('get_doc_content', { url: 'https://example.com/' })).isError).toBe(true)
    },
  },
  {
    tool: 'get_doc_content',
    parameter: 'include_code_blocks',
    theirs: 'off',
    ours: 'the same, as in get_doc_section',
    async check({ call }, service) {
      const args = { url: service.url + page }
      expect((await call('get_doc_content', args)).text).not.toContain('mytable_copy')
      expect(
        (await call('get_doc_content', { ...args, include_code_blocks: true })).text,
      ).toContain('mytable_copy')
    },
  },
  {
    tool: 'get_doc_content',
    parameter: 'max_length',
    theirs: '5000; cut at a paragraph, line, sentence or blank',
    ours: '5000; cut between blocks, lines or sentences, never inside code',
    async check({ call }, service) {
      const part = text(
        (await call('get_doc_content', { url: service.url + page, max_length: 200 })).text,
      )
      expect(part.length).toBeLessThanOrEqual(200)
      expect(part).toMatch(/[.\n]$/)
    },
  },
  {
    tool: 'get_doc_content',
    parameter: 'start_index',
    theirs: '0',
    ours: 'the same; the parts add up to the page; `page` detects a changed page',
    async check({ call }, service) {
      const args = { url: service.url + page, max_length: 250 }
      const whole = text((await call('get_doc_content', { ...args, max_length: 0 })).text)
      let joined = ''
      for (let start = 0; start < whole.length; ) {
        const part = text((await call('get_doc_content', { ...args, start_index: start })).text)
        joined += part
        start += part.length
      }
      expect(joined).toBe(whole)
    },
  },
  {
    tool: 'get_doc_content',
    parameter: 'lengths',
    theirs: '`content_length`; get_doc_section, too',
    ours: 'the same, in the last line of the text and as figures',
    async check({ call }, service) {
      for (const [tool, args] of [
        ['get_doc_content', {}],
        ['get_doc_section', { section_id: 'ctas-examples' }],
      ] as const) {
        const reply = (await call(tool, { url: service.url + page, ...args })).text
        const [, length] = /\n\[content_length: (\d+)\]$/.exec(reply) ?? []
        expect(Number(length)).toBe(text(reply).length)
      }
    },
  },
  {
    tool: 'get_doc_content',
    parameter: 'images',
    theirs: 'left out, and SVG',
    ours: 'the same; an alternative text that says more than “diagram” stays as `![text]`',
    async check({ call }, service) {
      const reply = (await call('get_doc_content', { url: `${service.url}/en/boats` })).text
      expect(reply).toContain('# Boats')
      expect(reply).not.toMatch(/diagram|!\[/)
    },
  },
]
