import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createDocs } from '@pith-mcp/docs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { allFormats } from '../src/formats/all-formats.ts'
import { formatOfFile } from '../src/formats/page-format.ts'
import { html, startSite } from './loopback-site.ts'

/** The same page in each format; a file is named after its format. */
const folder = fileURLToPath(new URL('fixtures/formats', import.meta.url))
const files = readdirSync(folder)
const nameOf = (file: string) => file.replace(extname(file), '')

test('every format of the table has its page among the fixtures', () => {
  expect(files.map(nameOf).sort()).toEqual(allFormats.map(({ name }) => name).sort())
})

describe.each(files)('%s', (file) => {
  const text = readFileSync(`${folder}/${file}`, 'utf8')

  test('is of the format that its name says', () => {
    expect(formatOfFile(file)?.name).toBe(nameOf(file))
  })

  test('is read from a folder, found by its words, and not counted as unread', async () => {
    const docs = await createDocs({ sources: [folder] })
    onTestFinished(() => docs.close())
    await expectRopes(docs, file)
    const { hits, sources } = await docs.search('bowline', { maxResults: 20 })
    expect(sources[0]?.ignored).toBeUndefined()
    expect(hits.map(({ url }) => url.split('#')[0])).toContain(file)
  })

  const types = ['application/octet-stream', ...(file.endsWith('.html') ? [] : ['text/plain'])]
  test.each(types)('is read from a server that sends %s', async (type) => {
    const site = await startSite({ [`/${file}`]: html(text, type) })
    onTestFinished(() => site.close())
    const url = `${site.url}/${file}`
    const docs = await createDocs({ sources: [url] })
    onTestFinished(() => docs.close())
    await expectRopes(docs, url)
  })
})

async function expectRopes(docs: Awaited<ReturnType<typeof createDocs>>, url: string) {
  const { title, entries } = await docs.toc(url)
  // A manual page is named after its file.
  const first = url.endsWith('man.7') ? 'man(7)' : 'Ropes'
  expect(title).toBe(first)
  expect(entries.map((entry) => entry.title)).toEqual([first, 'Knots'])
  const { markdown } = await docs.section(url, 'knots')
  expect(markdown).toContain('Tie a bowline first.')
}
