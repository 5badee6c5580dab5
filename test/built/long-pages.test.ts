import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { main } from './manual-page.ts'

const folder = mkdtempSync(join(tmpdir(), 'pith-long-'))
const client = new Client({ name: 'test', version: '0' })
const paragraph = `<p>${'Words of a long page. '.repeat(40)}</p>`

beforeAll(async () => {
  writeFileSync(join(folder, 'short.html'), '<main><h1>Short</h1><p>Quick.</p></main>')
  // Markdown that its parser reads in a time that grows with the square of its length.
  writeFileSync(join(folder, 'slow.md'), `# Slow\n\n${'[a]('.repeat(15_000)}`)
  writeFileSync(
    join(folder, 'large.html'),
    `<main><h1>Large</h1>${paragraph.repeat(11_000)}<h2 id="end">End</h2><p>The end.</p></main>`,
  )
  const args = [main, '--no-cache', folder]
  await client.connect(new StdioClientTransport({ command: process.execPath, args }))
})
afterAll(async () => {
  await client.close()
  rmSync(folder, { recursive: true })
})

async function read(name: string, args: Record<string, unknown>): Promise<string> {
  const result = await client.callTool({ name, arguments: args }, { timeout: 60_000 })
  const [content] = result.content
  return content?.type === 'text' ? content.text : ''
}

test('a page that takes long does not hold up other calls', async () => {
  await read('get_doc_content', { url: 'short.html' })
  let isDone = false
  const slow = read('get_doc_content', { url: 'slow.md' }).then((text) => {
    isDone = true
    return text
  })
  for (let calls = 0; calls < 5; calls++)
    expect(await read('get_doc_content', { url: 'short.html' })).toContain('Quick.')
  expect(isDone).toBe(false)
  expect(await slow).toContain('Slow')
}, 90_000)

test('a section at the end of a page of 10 MB is read', async () => {
  expect(await read('get_doc_section', { url: 'large.html', section: 'end' })).toContain('The end.')
}, 90_000)
