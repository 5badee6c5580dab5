import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { configOf, type FakeServer, text } from '../../fake-servers.ts'
import { openAggregator } from '../../open-aggregator.ts'

const run = () => text('done')
const described = (name: string, description: string, more = {}) => ({
  name,
  definition: { description, ...more },
  run,
})

const fakes: Record<string, FakeServer> = {
  tracker: {
    tools: [
      described('create_issue', 'Create an issue in a repository', {
        inputSchema: {
          type: 'object',
          properties: { title: { type: 'string' }, body: { type: 'string' } },
          required: ['title'],
        },
      }),
      described('list_issues', 'List the issues of a repository', {
        annotations: { readOnlyHint: true },
      }),
      described('getUserProfile', 'Details of an account'),
    ],
  },
  post: {
    tools: [
      described('send_message', 'Send a message to somebody'),
      described('list_messages', 'List messages', { annotations: { readOnlyHint: true } }),
    ],
  },
}
const servers = [configOf('tracker', { tags: ['dev'] }), configOf('post', { tags: ['office'] })]
const search = async (args: object, more = {}) => {
  const { use, logs } = openAggregator(fakes, { servers, ...more })
  return { said: await use('search_tools', { ...args }), logs, use }
}
const names = (said: string): string[] =>
  said.split('\n').flatMap((line) => /^([\w.]+)\(/.exec(line)?.[1] ?? [])

describe('a hit', () => {
  test('is a signature with what is required, a summary and why it was found', async () => {
    const { said } = await search({ query: 'tracker create issue' })
    expect(said.split('\n')[0]).toBe(
      'tracker.create_issue(title*: string, body: string) — Create an issue in a repository (name: create, issue)',
    )
  })

  test.each([
    [
      'of several steps: each step has its tool',
      'create an issue, then send a message',
      ['tracker.create_issue', 'post.send_message'],
    ],
    ['by a part of a name', 'serprof', ['tracker.getUserProfile']],
    ['by a name in another case', 'get user profile', ['tracker.getUserProfile']],
    ['by a word that is mistyped', 'creat isue', ['tracker.create_issue']],
  ])('is found %s', async (_what, query, requested) => {
    const { said } = await search({ query })
    expect(names(said)).toEqual(expect.arrayContaining(requested))
  })

  test.each([
    ['a server', { server: 'post' }, ['post.list_messages', 'post.send_message']],
    [
      'a tag',
      { tags: ['dev'] },
      ['tracker.create_issue', 'tracker.getUserProfile', 'tracker.list_issues'],
    ],
    [
      'one of tags',
      { tags: ['dev', 'office'], limit: 50 },
      [
        'post.list_messages',
        'post.send_message',
        'tracker.create_issue',
        'tracker.getUserProfile',
        'tracker.list_issues',
      ],
    ],
    ['reading', { read_only: true }, ['post.list_messages', 'tracker.list_issues']],
  ])('can be limited to %s', async (_what, filter, requested) => {
    const { said } = await search({ query: 'list issues messages account details', ...filter })
    expect(names(said).sort()).toEqual(requested)
  })

  test('can be limited to a number', async () => {
    const { said } = await search({ query: 'list issues messages', limit: 1 })
    expect(names(said)).toHaveLength(1)
  })

  test('wrong filters are answered with what is right', async () => {
    expect((await search({ query: 'x', server: 'trakcer' })).said).toContain('Nearest: tracker')
    expect((await search({ query: 'x', read_only: 'maybe' })).said).toContain('Pass true or false')
    expect((await search({ query: '' })).said).toContain('query')
  })
})

describe('what keeps a tool from being found', () => {
  test('a server that is down, with the reason; one that is ready is not blamed', async () => {
    const { use } = openAggregator({ tracker: fakes['tracker'] ?? {} }, { servers: [...servers] })
    const said = await use('search_tools', { query: 'list issues' })
    expect(said).toContain('Not searched: post, which is down: the command nowhere was not found')
    expect(said).not.toContain('[is down')
  })

  test('a server that is down since: its tools say so', async () => {
    const { use, world } = openAggregator(fakes, { servers })
    await use('search_tools', { query: 'list' })
    world.connections.find(({ events }) => events.server.name === 'post')?.crash('exit 9')
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(await use('search_tools', { query: 'send message' })).toMatch(
      /post\.send_message\(.*\[is down: exit 9/,
    )
  })

  test('a configuration that cannot be used', async () => {
    const { use } = openAggregator(fakes, {
      servers: [configOf('tracker', { problem: 'env.KEY names a variable that is not set' })],
    })
    expect(await use('search_tools', { query: 'issue' })).toContain(
      'Not searched: tracker, which cannot be used with its configuration: env.KEY names a variable that is not set',
    )
  })
})

describe('servers that are still starting', () => {
  const never = () => new Promise<void>(() => {})
  const patient = (name: string) => configOf(name, { startTimeoutMs: 60_000 })

  test.each([0, 60, 600])('are waited for, answer after %d ms or not', async (gapMs) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const started = new Promise<void>((resolve) => setTimeout(resolve, gapMs))
    const slow = { tools: [described('read_record', 'Read a record')], onStart: () => started }
    const { use } = openAggregator(
      { ...fakes, postgres: slow, other: { onStart: never }, third: { onStart: never } },
      { servers: [...servers, ...['postgres', 'other', 'third'].map(patient)] },
    )
    const first = use('search_tools', { query: 'read record' })
    await vi.advanceTimersByTimeAsync(10_000)
    const second = use('search_tools', { query: 'read record' })
    await vi.advanceTimersByTimeAsync(10)
    expect(names(await first)).toContain('postgres.read_record')
    expect((await first).split('\n').at(-1)).toBe(
      'Not searched: other, third, each of which is still starting; try again.',
    )
    expect(await second).toBe(await first)
  })
})

test('tags are offered where there are any', async () => {
  const list = async (of: typeof servers) => {
    const { aggregator } = openAggregator(fakes, { servers: of })
    return JSON.stringify(await aggregator.request({ method: 'tools/list' }))
  }
  expect(await list(servers)).toContain('"enum":["dev","office"]')
  expect(await list([configOf('post')])).not.toContain('tags')
})

describe('words in a script that no tool uses are answered with the language to search in', () => {
  const hint = 'No tool has words in this script: search in English.'
  const inWords = async (description: string, query: string) => {
    const local = { files: { tools: [described('read_file', description)] } }
    return openAggregator(local, { servers: [configOf('files')] }).use('search_tools', { query })
  }

  test.each(['ファイルを読む', 'файл', 'GitHub の問題'])('%s', async (query) => {
    expect((await search({ query })).said).toContain(`5 tools were searched.\n${hint}`)
  })

  test.each([
    ['English', 'Lists the rows of a table'],
    ['German', 'Liest die Zeilen der Tabelle und gibt sie mit dem Namen aus'],
    ['French', 'Lit les lignes de la table avec le nom'],
    ['Spanish', 'Lee las filas de la tabla con el nombre'],
    ['Chinese', '读取文件的内容'],
    ['Japanese', 'ファイルの内容を読む'],
    ['Korean', '파일의 내용을 읽습니다'],
    ['Russian', 'Читает содержимое из файла по имени'],
  ])('which is %s', async (language, description) => {
    expect(await inWords(description, 'Ανάγνωση αρχείου')).toContain(`search in ${language}.`)
  })

  test('also if words in another script find something', async () => {
    expect((await search({ query: '問題の一覧を表示する issue' })).said).toMatch(
      new RegExp(`^tracker\\..*\n${hint}$`, 's'),
    )
  })

  test('but not a value, nor words that only are not found', async () => {
    for (const query of ['send a message to Иван', 'zebra', 'issue'])
      expect((await search({ query })).said).not.toContain('script')
    expect(await inWords('ファイルの内容', '天気')).not.toContain('script')
  })
})
