import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { createDocs } from '@pith-mcp/docs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../base/test/temporary-folder.ts'
import { allFormats } from '../../formats/src/all-formats.ts'
import { formatOfFile } from '../../formats/src/page-format.ts'
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

test('gzipped pages of a folder are pages; other files of such names are not', async () => {
  const folder = temporaryFolder(onTestFinished)
  await writeFile(join(folder, 'tie.1.gz'), gzipSync('.TH TIE 1\n.SH NAME\ntie \\- tie a rope\n'))
  await writeFile(join(folder, 'rope.3pm'), '.TH ROPE 3pm\n.SH NAME\nRope \\- a rope\n')
  await writeFile(join(folder, 'messages.1.gz'), gzipSync('rope rope'))
  await writeFile(join(folder, 'notes-v1.7'), 'rope rope')
  await writeFile(join(folder, 'file.1'), '12:00 rope\n')
  await writeFile(join(folder, 'bomb.1.gz'), gzipSync(Buffer.alloc(2 ** 26)))
  const docs = await createDocs({ sources: [folder] })
  onTestFinished(() => docs.close())
  const { hits, sources } = await docs.search('rope')
  expect(sources).toMatchObject([{ pages: 2, ignored: '2 .1.gz, 1 .1' }])
  expect(hits.map(({ url }) => url.split('#')[0]).sort()).toEqual(['rope.3pm', 'tie.1.gz'])
  expect((await docs.section('tie.1.gz', 'name')).markdown).toContain('tie - tie a rope')
  await expect(docs.toc('bomb.1.gz')).rejects.toMatchObject({ code: 'too_large' })
})

test('of the JSON and YAML files of a folder, only descriptions are pages', async () => {
  const folder = temporaryFolder(onTestFinished)
  const pets = { openapi: '3.0.3', info: { title: 'Pets', version: '1' }, paths: {} }
  await writeFile(join(folder, 'api.json'), JSON.stringify(pets))
  await writeFile(join(folder, 'package.json'), '{"name": "pets"}')
  await writeFile(join(folder, 'openapi.yaml'), 'pets: none')
  await writeFile(join(folder, 'data.yaml'), 'pets: none')
  const docs = await createDocs({ sources: [folder] })
  onTestFinished(() => docs.close())
  const { sources } = await docs.search('pets')
  expect(sources).toMatchObject([{ pages: 1, ignored: '1 .yaml' }])
  for (const name of ['package.json', 'data.yaml'])
    await expect(docs.toc(name)).rejects.toMatchObject({ code: 'unsupported_type' })
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
