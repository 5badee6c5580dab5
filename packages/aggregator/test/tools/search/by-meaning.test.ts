import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { configOf, type FakeServer, text } from '../../fake-servers.ts'
import { openAggregator } from '../../open-aggregator.ts'

const tool = (name: string, description: string) => ({
  name,
  definition: { description },
  run: () => text('done'),
})

const fakes: Record<string, FakeServer> = {
  tracker: {
    tools: [
      tool('create_issue', 'Create an issue in a repository'),
      tool('list_issues', 'List the issues of a repository'),
    ],
  },
  post: {
    tools: [
      tool('send_message', 'Send a message to somebody'),
      tool('list_messages', 'List messages'),
      tool('drop_line', 'Drop a line of a message'),
    ],
  },
}
const servers = [configOf('tracker'), configOf('post')]

/** Texts with the same of these words have the same vector. */
const meanings = [/issue|課題|grievance/i, /message|songs/i, /repository/i, /show_/]
const vectorOf = (input: string): number[] =>
  meanings.map((meaning) => (meaning.test(input) ? 1 : 0.01))

interface Answer {
  status?: number
  data?: (input: string[]) => unknown
  /** Never answers. */
  hangs?: boolean
}

async function openModel({ status = 200, data, hangs = false }: Answer = {}) {
  const requested: { input: string[]; model: string; key: string | undefined }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      const { input, model } = JSON.parse(body) as { input: string[]; model: string }
      requested.push({ input, model, key: request.headers.authorization })
      if (hangs) return
      const vectors = input.map((one, index) => ({ index, embedding: vectorOf(one) }))
      response.writeHead(status).end(JSON.stringify({ data: data ? data(input) : vectors }))
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requested }
}

interface Embeddings {
  url: string
  apiKey?: string
  weight?: number
}

function open(embeddings?: Embeddings, more: Record<string, FakeServer> = {}) {
  const { use, logs } = openAggregator(
    { ...fakes, ...more },
    {
      servers: [...servers, ...Object.keys(more).map((name) => configOf(name))],
      ...(embeddings && { embeddings: { model: 'm', ...embeddings } }),
    },
  )
  const search = async (query: string, more: object = {}) => use('search_tools', { query, ...more })
  return { search, logs }
}

const names = (said: string): string[] =>
  said.split('\n').flatMap((line) => /^([\w.]+)\(/.exec(line)?.[1] ?? [])

test('a query in other words, or in another language, finds the tool', async () => {
  const { url } = await openModel()
  const { search } = open({ url })
  for (const query of ['課題を登録', 'grievance']) {
    const said = await search(query, { limit: 2 })
    expect(names(said).sort()).toEqual(['tracker.create_issue', 'tracker.list_issues'])
    expect(said.split('\n')[0]).toMatch(/\(meaning\)$/)
    expect(said).not.toContain('script')
  }
  expect(names(await open().search('課題を登録'))).toEqual([])
})

test('a tool that is far ahead by its words stays first, and what is alike follows', async () => {
  const { url } = await openModel()
  const { search } = open({ url })
  const said = await search('drop line 課題')
  expect(names(said)).toEqual(['post.drop_line', 'tracker.create_issue', 'tracker.list_issues'])
  expect(names(await search('list messages 課題'))[0]).toBe('post.list_messages')
})

test('of tools that words rank almost alike, the one that means the same comes first', async () => {
  const { url } = await openModel()
  const first = async (model?: { url: string; weight?: number }) =>
    names(await open(model).search('list 課題'))[0]
  expect(await first()).toBe('post.list_messages')
  expect(await first({ url, weight: 0.9 })).toBe('tracker.list_issues')
  expect(await first({ url, weight: 0 })).toBe('post.list_messages')
})

test('the most similar tool has a place beside five that words find, unless both agree', async () => {
  const { url } = await openModel()
  const tools = ['cars', 'dogs', 'maps', 'days', 'songs'].map((name) =>
    tool(`show_${name}`, 'Show'),
  )
  const find = async (query: string, ...model: Embeddings[]) =>
    names(await open(model[0], { shows: { tools } }).search(query))
  const [words, both] = [await find('show 課題'), await find('show 課題', { url })]
  expect(words.filter((name) => name.startsWith('shows.'))).toHaveLength(5)
  expect([both.length, both.indexOf('tracker.create_issue')]).toEqual([5, 4])
  const agreed = await find('show songs', { url })
  expect(agreed.filter((name) => name.startsWith('shows.'))).toHaveLength(5)
})

test('no tool is there twice', async () => {
  const { url } = await openModel()
  const found = names(await open({ url }).search('drop line list 課題', { limit: 4 }))
  expect(found).toHaveLength(4)
  expect(new Set(found).size).toBe(4)
  expect(found[0]).toBe('post.drop_line')
})

test('only tools that pass the filter are found', async () => {
  const { url } = await openModel()
  expect(names(await open({ url }).search('課題', { server: 'post', limit: 5 }))).not.toContain(
    'tracker.create_issue',
  )
})

test.each<[string, Answer]>([
  ['fails', { status: 500 }],
  ['returns no vectors', { data: () => [] }],
  ['returns something else', { data: () => 'nothing' }],
])('a model that %s is said, and words answer', async (_, answer) => {
  const { url, requested } = await openModel(answer)
  const { search, logs } = open({ url })
  for (let at = 0; at < 3; at++) {
    const said = await search('create issue')
    expect(names(said)[0]).toBe('tracker.create_issue')
    expect(said).toContain('The embedding model cannot be used: only words were searched.')
  }
  expect(await search('課題')).toContain('search in English')
  expect(requested).toHaveLength(1)
  expect(logs.filter((line) => line.startsWith('The embeddings of m'))).toHaveLength(1)
})

test('a model that hangs does not hold the search: what has no vectors is said', async () => {
  const { url } = await openModel({ hangs: true })
  const said = await open({ url }).search('create issue')
  expect(names(said)[0]).toBe('tracker.create_issue')
  expect(said).toContain('5 of 5 tools were searched by words only')
})

test('texts are sent once, queries each time, with the key and the model', async () => {
  const { url, requested } = await openModel()
  const { search } = open({ url, apiKey: 'k' })
  await search('grievance')
  await search('letter', { server: 'post' })
  expect(requested.map(({ input }) => input.length)).toEqual([5, 1, 1])
  expect(requested[0]?.input[0]).toContain('create_issue:  Create an issue in a repository')
  expect(requested[2]).toEqual({ input: ['letter'], model: 'm', key: 'Bearer k' })
})

test('nothing is requested if no model is configured', async () => {
  const { requested } = await openModel()
  await open().search('課題を登録')
  expect(requested).toEqual([])
})
