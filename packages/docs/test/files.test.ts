import { execFileSync } from 'node:child_process'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createDocs, type Docs } from '@pith-mcp/docs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../base/test/temporary-folder.ts'

const folder = temporaryFolder()
let docs: Docs

const page = (title: string, body = 'Body.') =>
  `<nav><a href="x">Nav</a></nav><main><h1>${title}</h1><p>${body}</p></main>`

beforeAll(async () => {
  await mkdir(join(folder, 'open/ref'), { recursive: true })
  await writeFile(join(folder, 'open/index.html'), page('Start'))
  await writeFile(join(folder, 'open/ref/a.html'), page('Page A', 'About anchors.'))
  await writeFile(join(folder, 'open/notes.org'), 'plain')
  await writeFile(join(folder, 'secret.html'), page('Secret'))
  await symlink(join(folder, 'secret.html'), join(folder, 'open/link.html'))
  await mkdir(join(folder, 'outside'))
  await writeFile(join(folder, 'outside/secret.html'), page('Secret'))
  await symlink(join(folder, 'outside'), join(folder, 'open/linked'))
  docs = await createDocs({ sources: [join(folder, 'open')] })
})

afterAll(() => docs.close())

test('a path may be relative, absolute or a file URL; an answer names it short', async () => {
  const path = join(folder, 'open/ref/a.html')
  for (const url of ['ref/a.html', path, pathToFileURL(path).href])
    expect(await docs.content(url)).toMatchObject({ url: 'ref/a.html', title: 'Page A' })
})

test('Markdown is a page too, unless the HTML made of it stands next to it', async () => {
  await writeFile(join(folder, 'open/ref/a.md'), '# Source of page A')
  await writeFile(join(folder, 'open/notes.md'), '# Notes\n\nAbout [buoys](b.md).')
  expect((await docs.content('notes.md')).markdown).toBe('# Notes\n\nAbout buoys.')
  expect((await docs.search('source buoys')).hits.map(({ url }) => url)).toEqual(['notes.md#notes'])
  await rm(join(folder, 'open/notes.md'))
  await rm(join(folder, 'open/ref/a.md'))
})

test('a folder is its index', async () => {
  expect((await docs.content(join(folder, 'open'))).title).toBe('Start')
})

test.each([
  ['ref/none.html', 'not_found', /"ref\/none.html"/],
  ['ref', 'not_found', /folder without an index.html/],
  ['notes.org', 'unsupported_type', /not an HTML, Markdown, .* page/],
  ['../secret.html', 'not_allowed', /outside/],
  ['link.html', 'not_allowed', /outside/],
  ['linked/secret.html', 'not_allowed', /outside/],
  ['linked/none.html', 'not_allowed', /outside/],
  ['secret.html%00.html', 'not_found', /no file/],
  ['/etc/passwd', 'not_allowed', /outside/],
  ['/etc/does-not-exist', 'not_allowed', /outside/],
])('%s is an error of code %s', async (url, code, message) => {
  await expect(docs.content(url)).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message),
  })
})

test('without a source no file is read', async () => {
  const closed = await createDocs()
  await expect(closed.content('/etc/passwd')).rejects.toMatchObject({ code: 'not_allowed' })
  await expect(closed.search('x')).rejects.toMatchObject({ code: 'no_source' })
  await closed.close()
})

test('a source that does not exist is an error at once', async () => {
  await expect(createDocs({ sources: [join(folder, 'none')] })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('HTML is parsed by the parser that is asked for', async () => {
  const parser = 'gumbo' as 'parse5'
  const other = await createDocs({ sources: [join(folder, 'open')], parser })
  await expect(other.toc('ref/a.html')).rejects.toThrow(/'fast' or 'parse5', not "gumbo"/)
  await other.close()
})

test('a file name may have signs that mean something in a URL', async () => {
  await writeFile(join(folder, 'open/a#b?c%20d.html'), page('Signs', 'platypus'))
  const [hit] = (await docs.search('platypus')).hits
  expect((await docs.section(hit?.url ?? '', undefined)).markdown).toContain('platypus')
  await rm(join(folder, 'open/a#b?c%20d.html'))
})

test('a page without a charset that is no UTF-8 is read as browsers do', async () => {
  await writeFile(
    join(folder, 'open/latin.html'),
    Buffer.from('<main><p>caf\xe9</p></main>', 'latin1'),
  )
  expect((await docs.content('latin.html')).markdown).toBe('café')
  await rm(join(folder, 'open/latin.html'))
})

test('a page that changes is read again', async () => {
  const path = join(folder, 'open/changing.html')
  await writeFile(path, page('Before', 'zebra'))
  expect((await docs.content('changing.html')).title).toBe('Before')
  expect((await docs.search('zebra')).hits).toHaveLength(1)
  await writeFile(path, page('After it', 'giraffe'))
  expect((await docs.content('changing.html')).title).toBe('After it')
  expect((await docs.search('zebra')).hits).toHaveLength(0)
  expect((await docs.search('giraffe')).hits).toHaveLength(1)
  await rm(path)
  expect((await docs.search('giraffe')).hits).toHaveLength(0)
})

test('searches the pages of the folder, with a link that leads to the section', async () => {
  const progress: number[] = []
  const { hits, sources } = await docs.search('anchors', {
    onProgress: ({ done }) => progress.push(done),
  })
  expect(sources).toMatchObject([{ pages: 2, via: 'files', isComplete: true, ignored: '1 .org' }])
  expect(hits).toMatchObject([{ url: 'ref/a.html#page-a', title: 'Page A' }])
  const [hit] = hits
  expect((await docs.section(hit?.url ?? '', undefined)).markdown).toContain('About anchors.')
})

test.each(['std:vec.html', 'a#b.html', 'a%23b.html', ' led.html', 'http:x.html', 'new\nline.html'])(
  'a file called %j is found by the name that a search gives it',
  async (name) => {
    const path = join(folder, 'open', name)
    await writeFile(path, page(`Title of ${JSON.stringify(name)}`, 'aardvark'))
    const { hits } = await docs.search('aardvark')
    expect(hits).toHaveLength(1)
    expect((await docs.content(hits[0]?.url ?? '')).markdown).toContain('aardvark')
    await rm(path)
  },
)

test('a pipe is not waited for', async () => {
  const path = join(folder, 'open/pipe.html')
  execFileSync('mkfifo', [path])
  await expect(docs.content('pipe.html')).rejects.toMatchObject({ code: 'unsupported_type' })
  await rm(path)
})
