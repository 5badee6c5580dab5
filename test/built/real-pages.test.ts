import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { DomUtils, parseDocument } from 'htmlparser2'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { main } from './manual-page.ts'

/** Pages that nobody here wrote; `pnpm bench corpus` fetches them where Debian's packages are. */
const corpus = fileURLToPath(new URL('../../bench/.corpus/usr/share/doc/', import.meta.url))

/** `within` is where a reader sees the page's content; `last`, sections of the page's last third. */
const pages = [
  {
    path: 'python-django-doc/html/ref/models/querysets.html',
    within: 's-queryset-api-reference',
    last: {
      's-field-lookups': 'field-lookups',
      's-iso-week-day': 'iso-week-day',
      's-id8': 'id8',
      's-prefetch-objects': 'prefetch-objects',
    },
  },
  {
    path: 'postgresql-doc-15/html/sql-createtable.html',
    within: 'SQL-CREATETABLE',
    last: {
      'SQL-CREATETABLE-EXAMPLES': 'Examples',
      'SQL-CREATETABLE-COMPATIBILITY': 'Compatibility',
    },
  },
  {
    path: 'postgresql-doc-15/html/sql-select.html',
    within: 'SQL-SELECT',
    last: { 'SQL-FOR-UPDATE-SHARE': 'The Locking Clause', 'id-1.9.3.172.10': 'compatibility' },
  },
]

const isFetched = pages.every(({ path }) => existsSync(corpus + path))

describe.skipIf(!isFetched)('pages of Debian packages, over stdio', () => {
  const client = new Client({ name: 'test', version: '0' })

  beforeAll(() =>
    client.connect(
      new StdioClientTransport({ command: process.execPath, args: [main, '--no-cache', corpus] }),
    ),
  )
  afterAll(() => client.close())

  async function call(name: string, args: Record<string, unknown>): Promise<string> {
    const { content, isError } = await client.callTool({ name, arguments: args })
    const [first] = content
    const text = first?.type === 'text' ? first.text : ''
    expect(isError, text).not.toBe(true)
    return text
  }

  async function walk(url: string, args: Record<string, unknown>): Promise<string[]> {
    const parts: string[] = []
    for (let page: string | undefined; ; ) {
      const text = await call('get_doc_content', { url, ...args, ...(page && { page }) })
      const body =
        /^\[.*\]\n<page_text>\n([\s\S]*)\n<\/page_text>(?:\n\[next: .*page="([^"]+)"\)\])?(?:\n\[\d+ code blocks? left out.*\])?$/.exec(
          text,
        )
      parts.push(body?.[1] ?? '')
      page = body?.[2]
      if (page === undefined) return parts
    }
  }

  describe.each(pages)('$path', ({ path, within, last }) => {
    // Read by the tests, not while they are listed: where nothing was fetched they are skipped.
    const element = (id: string) => {
      const document = parseDocument(readFileSync(corpus + path, 'utf8'))
      const found = DomUtils.getElementById(id, document)
      if (!found) throw new Error(`${path} has no ${id}`)
      return found
    }

    test.each(Object.entries(last))('section %s comes whole in one call', async (id, section) => {
      const args = { url: path, section, max_length: 0, include_code_blocks: true }
      const text = await call('get_doc_section', args)
      expect(text).not.toContain('[next:')
      const [, body = ''] = /<page_text>\n([\s\S]*)\n<\/page_text>/.exec(text) ?? []
      expect(letters(said(body))).toBe(letters(readable(element(id))))
    })

    test('the page comes whole and without noise', async () => {
      const text = (await walk(path, { max_length: 0, include_code_blocks: true })).join('')
      expect(letters(said(text))).toBe(letters(readable(element(within))))
      expect(text).not.toMatch(/¶|\[source\]|^(Prev|Next|Up|Home|Copy)$/m)
    })

    test('every code block is verbatim', async () => {
      const text = (await walk(path, { max_length: 0, include_code_blocks: true })).join('')
      const blocks = DomUtils.getElementsByTagName('pre', element(within)).map((pre) =>
        DomUtils.textContent(pre).replace(/^\n/, '').trimEnd(),
      )
      expect(blocks.length).toBeGreaterThan(5)
      const prefixes = ['', '  ', '    ', '   ', '> ', '  > ', '>   ']
      for (const block of blocks) {
        const forms = prefixes.map((prefix) =>
          block
            .split('\n')
            .map((line) => (prefix + line).trimEnd())
            .join('\n'),
        )
        const lines = text.replace(/[ \t]+$/gm, '')
        expect(
          forms.some((form) => lines.includes(form)),
          block,
        ).toBe(true)
      }
    })

    test('parts cut no fence and no table row, and add up to the page', async () => {
      for (const include_code_blocks of [true, false]) {
        const large = await walk(path, { max_length: 0, include_code_blocks })
        const small = await walk(path, { max_length: 1500, include_code_blocks })
        for (const part of [...large, ...small]) {
          expect((part.match(/^[> ]*```/gm) ?? []).length % 2).toBe(0)
          for (const line of part.split('\n')) if (line.startsWith('|')) expect(line).toMatch(/\|$/)
        }
        const whole = letters(said(large.join('')))
        expect(letters(said(small.join('')))).toBe(whole)
      }
    })
  })
})

type Element = ReturnType<typeof DomUtils.getElementsByTagName>[number]

/** The text a reader sees: without permalinks and links to source code. */
function readable(element: Element): string {
  const noise = (node: Element) => /headerlink|viewcode-link/.test(node.attribs['class'] ?? '')
  for (const node of DomUtils.findAll(noise, element.children)) DomUtils.removeElement(node)
  return DomUtils.textContent(element)
}

/** Only what is said: the Markdown adds signs, blanks and line breaks, but no letters. */
const letters = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '')

/** Without what the Markdown says and the page does not: languages of fences, numbers of lists. */
const said = (markdown: string): string =>
  markdown.replace(/^([> ]*```+)\S*$/gm, '$1').replace(/^( *)\d+\. /gm, '$1')
