import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createDocs, type DocsOptions } from '@pith-mcp/docs'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../base/test/temporary-folder.ts'

/** Either page has the words of `drop a line`; only one is about mail. */
const pages = {
  'anchor.html': '<h1>Anchors</h1><p>Drop the anchor with its line, a line of chain.</p>',
  'post.html': '<h1>Letters</h1><p>Drop the post office a line if a letter is late.</p>',
  'reef.html': '<h1>Drop keels</h1><p>A drop keel.</p>',
}

const folder = temporaryFolder()
beforeAll(async () => {
  for (const [name, body] of Object.entries(pages))
    await writeFile(join(folder, name), `<main>${body}</main>`)
})

/** A model for which texts about mail are alike, as is the query. */
async function openModel(isBroken = false) {
  const requested: string[][] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      const { input } = JSON.parse(body) as { input: string[] }
      requested.push(input)
      if (isBroken) return response.writeHead(500).end()
      const vectorOf = (text: string) =>
        /letter|drop (?:me )?a line/i.test(text) ? [1, 0] : [0, 1]
      response.end(JSON.stringify({ data: input.map((text) => ({ embedding: vectorOf(text) })) }))
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requested }
}

async function search(query: string, options: DocsOptions = {}) {
  const notices: string[] = []
  const docs = await createDocs({
    sources: [folder],
    onNotice: (text) => notices.push(text),
    ...options,
  })
  try {
    // The first search waits half a second for the vectors at most.
    await docs.search(query)
    const { hits, lead } = await docs.search(query)
    return { urls: hits.map(({ url }) => url.split('#')[0]), lead, notices }
  } finally {
    await docs.close()
  }
}

test('a section about the same comes first, if no other is far ahead', async () => {
  const { url } = await openModel()
  const words = await search('drop a line')
  expect(words.urls[0]).toBe('anchor.html')
  const embeddings = { url, model: 'm', weight: 0.9 }
  expect((await search('drop a line', { embeddings })).urls[0]).toBe('post.html')
  const light = { ...embeddings, weight: (words.lead - 1) / 2 }
  expect((await search('drop a line', { embeddings: light })).urls[0]).toBe('anchor.html')
})

test('vectors are stored with the index, those of queries are not', async () => {
  const cacheFolder = temporaryFolder(onTestFinished)
  const { url, requested } = await openModel()
  const embeddings = { url, model: 'm' }
  await search('drop a line', { cacheFolder, embeddings })
  await search('drop a line', { cacheFolder, embeddings })
  expect(requested.map(({ length }) => length)).toEqual([3, 1, 1, 1, 1])
  await search('drop a line', { cacheFolder, embeddings: { url, model: 'another' } })
  expect(requested.at(-3)).toHaveLength(3)
})

test('a model that fails is named once, and words alone decide', async () => {
  const { url } = await openModel(true)
  const { urls, notices } = await search('drop a line', { embeddings: { url, model: 'm' } })
  expect(urls[0]).toBe('anchor.html')
  expect(notices).toEqual([expect.stringMatching(/^The embeddings of m cannot be used: .*500/)])
})

test('offline, no model is asked', async () => {
  const { url, requested } = await openModel()
  await search('drop a line', { embeddings: { url, model: 'm' }, offline: true })
  expect(requested).toEqual([])
})
