import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDocs, type Docs } from '@pith-mcp/docs'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../base/test/temporary-folder.ts'
import { html, startSite } from './loopback-site.ts'

const manual = `.. _top:

=====
Ropes
=====

A :ref:\`rope <rope>\` holds \`\`<weight>\`\` or <weight>:

    * one that is indented::

        tie(
            bowline)

Knots
=====

.. code-block:: sh

   tie --bowline <rope>

A splice
~~~~~~~~

.. note::

    Not code.

Anchors
=======

Drop them.
`
const code = { includeCodeBlocks: true }

let folder: string
let docs: Docs
const write = (name: string, text: string) => writeFile(join(folder, name), text)

beforeEach(async () => {
  folder = temporaryFolder(onTestFinished)
  docs = await createDocs({ sources: [folder] })
})
afterEach(() => docs.close())

test('underlined titles of reStructuredText are sections, in levels', async () => {
  await write('ropes.rst', manual)
  const { title, entries } = await docs.toc('ropes.rst')
  expect(title).toBe('Ropes')
  expect(entries.map(({ title, level }) => [title, level])).toEqual([
    ['Ropes', 1],
    ['Knots', 2],
    ['A splice', 3],
    ['Anchors', 2],
  ])
  expect((await docs.search('drop')).hits[0]?.url).toBe('ropes.rst#anchors')
})

test('its code is code, and its text is not', async () => {
  await write('ropes.rst', manual)
  const { markdown } = await docs.content('ropes.rst', code)
  expect(markdown).toContain('A rope holds `<weight>` or \\<weight>:')
  expect(markdown).toContain('- one that is indented:')
  expect(markdown).toContain('tie(\n')
  expect(markdown).toContain('```sh\ntie --bowline <rope>\n```')
  expect(markdown).toContain('**Note:** Not code.')
})

test('text is read as Markdown if it is, and otherwise as it is laid out', async () => {
  await write('a.txt', '# Alpha\n\nLions <b>run</b>.')
  await write('b.txt', 'Copy <this>:\n  a   b\n')
  expect((await docs.content('a.txt')).markdown).toBe('# Alpha\n\nLions run.')
  expect(await docs.content('b.txt')).toMatchObject({
    title: 'b.txt',
    markdown: '```\nCopy <this>:\n  a   b\n```',
  })
})

test('text of a site is read in the same way', async () => {
  const site = await startSite({ '/ropes.rst?raw=true': html(manual, 'text/plain; charset=utf-8') })
  const own = await createDocs({ sources: [site.url] })
  const { markdown } = await own.section(`${site.url}/ropes.rst?raw=true`, 'Knots', code)
  expect(markdown).toContain('## Knots\n\n```sh\ntie --bowline <rope>\n```')
  await own.close()
  await site.close()
})

test('documents of other formats are counted, but not those with a page', async () => {
  const names = [
    'a.pdf',
    'b.pdf',
    'B.ORG',
    'tie.1',
    'tie-1.2',
    'api/x',
    'openapi.v3.yaml',
    'c.yaml',
  ]
  for (const name of names.filter((one) => !one.includes('/'))) await write(name, 'x')
  await write('page.html', '<main><h1>Page</h1><p>Words.</p></main>')
  await write('page.pdf', 'x')
  await write('page.txt', 'the source of the page')
  await write('robots.txt', 'User-agent: *')
  await write('requirements-dev.txt', 'words')
  const [source] = (await docs.search('words')).sources
  expect(source).toMatchObject({ pages: 1 })
  expect(source?.ignored?.split(', ').sort()).toEqual(['1 .1', '1 .org', '1 .yaml', '2 .pdf'])
})

test('a folder with nothing but other formats is an error that counts them', async () => {
  await write('a.org', '= A')
  await write('b.pdf', 'x')
  await write('c.pdf', 'x')
  await expect(docs.search('words')).rejects.toMatchObject({
    message: 'The source has only files that are not read: 1 .org, 2 .pdf.',
    remedy: expect.stringContaining('such as built documentation'),
  })
})
