import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildSite, serveSite } from '../site/renderer.ts'
import { main } from './manual-page.ts'

const folder = mkdtempSync(join(tmpdir(), 'pith-site-'))
const requests: string[] = []
let client: Client
let site: Awaited<ReturnType<typeof serveSite>>

beforeAll(async () => {
  const onRequest = (path: string) => void requests.push(path)
  site = await serveSite({ folder, path: '/pith/', onRequest })
  await buildSite({ to: folder, baseUrl: site.url })
})
beforeEach(async () => {
  requests.length = 0
  client = new Client({ name: 'test', version: '0' })
  const args = [main, '--no-cache', site.url]
  await client.connect(new StdioClientTransport({ command: process.execPath, args }))
})
afterEach(() => client.close())
afterAll(async () => {
  await site.close()
  rmSync(folder, { recursive: true })
})

async function ask(name: string, args: Record<string, unknown>) {
  const { content, isError, _meta } = await client.callTool({ name, arguments: args })
  const text = content.map((part) => ('text' in part ? part.text : '')).join('')
  if (isError) throw new Error(text)
  return { text, answer: _meta?.['io.github.pith-mcp/answer'] as { origin?: { source: string } } }
}

describe('the manual as a site, read by docs-mcp', () => {
  test('is searched by the index that it brings', async () => {
    const { text } = await ask('search_docs', { query: 'BM25F' })
    expect(text).toContain(`${site.url}libraries/scorer.html#how-it-ranks`)
    expect(text).toMatch(/MkDocs index/)
    expect(requests).toContain('/pith/search/search_index.json')
    expect(requests.filter((path) => /llms|sitemap/.test(path))).toEqual([])
  })

  test('is read as the Markdown variant of its pages, soon without requesting HTML', async () => {
    const sections = [
      ['libraries/scorer', 'how-it-ranks', 'The ranking is BM25F'],
      ['libraries/cleaner', 'when-to-use-it', 'When to use it'],
      ['libraries/paginator', '', ''],
      ['libraries/code', '', ''],
    ] as const
    for (const [path, id, said] of sections) {
      const url = `${site.url}${path}.html`
      const { text, answer } = await ask(id === '' ? 'get_doc_toc' : 'get_doc_section', {
        url: id === '' ? url : `${url}#${id}`,
      })
      expect(text).toContain(said)
      expect(answer.origin?.source).toBe('alternate')
    }
    expect(requests.filter((path) => path.endsWith('.html'))).toEqual([
      '/pith/libraries/scorer.html',
    ])
    expect(requests.filter((path) => path.endsWith('.md'))).toEqual(
      sections.map(([path]) => `/pith/${path}.md`),
    )
  })
})
