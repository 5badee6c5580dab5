import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../../servers/src/protocol/message.ts'
import { createResults } from '../../../src/call/results/results.ts'
import { wantedIn } from '../../../src/call/results/select.ts'
import { createResultStore } from '../../../src/call/results/tiered-result-store.ts'
import { readMore } from '../../../src/tools/read-more.ts'
import { createClient, text, textOf } from '../../fake-servers.ts'

const results = createResults(createResultStore(), {
  reply: { characters: 20_000, tokens: 10_000 },
  first: { characters: 4_000, tokens: 1_000 },
})
const more = async (args: JsonObject): Promise<string> => {
  const context = createClient().context()
  return textOf(await readMore.answer(args, { context, results, view: {} as never }, {} as never))
}

/** What a call with `select` replies, without the line that says what was left out. */
async function selected(result: JsonObject, select: unknown): Promise<string> {
  const reply = textOf(await results.reply(result, { params: {}, select: await wantedIn(select) }))
  const end = reply.lastIndexOf('\n[')
  expect(reply.slice(end)).toMatch(
    /selected \d+ characters?; the whole has \d+ characters?.*: read_more\(.*\)\]$/,
  )
  return reply.slice(0, end)
}

const issue = (id: number) => ({
  id,
  title: `Issue ${id}`,
  user: { login: `u${id}` },
  labels: [{ name: 'a' }, { name: `l${id}` }],
  body: 'word '.repeat(40),
})
const items = [1, 2, 3].map(issue)
const page = { total: 3, items, next: null }

describe('select', () => {
  test.each([
    ['a JSONPath', '$.items[?@.id==2].title', '["Issue 2"]'],
    ['a JSONPath of one value', '$.items[0].user', '{"login":"u1"}'],
    ['a path of fields', 'items[].title', '["Issue 1","Issue 2","Issue 3"]'],
    ['a path without the list', 'items.title', '["Issue 1","Issue 2","Issue 3"]'],
    ['an item', 'items[1].user.login', '"u2"'],
    ['values of lists in lists', ['items[].labels[].name'], '["a","l1","a","l2","a","l3"]'],
    [
      'several fields',
      ['items[].id', 'items[].user.login', 'total'],
      '{"total":3,"items":[{"id":1,"user":{"login":"u1"}},{"id":2,"user":{"login":"u2"}},{"id":3,"user":{"login":"u3"}}]}',
    ],
    [
      'a field and the whole of it',
      ['items[].user.login', 'items[0].user', 'total'],
      '{"total":3,"items":[{"user":{"login":"u1"}},{"user":{"login":"u2"}},{"user":{"login":"u3"}}]}',
    ],
    ['a field that is null', 'next', 'null'],
    ['paths with quoted names', ["$['total']", '["next"]'], '{"total":3,"next":null}'],
  ])('%s', async (_name, select, value) => {
    for (const result of [
      text(JSON.stringify(page, null, 2)),
      { ...text(JSON.stringify(page)), structuredContent: page },
      { content: [], structuredContent: page },
      text(`Found 3 issues:\n\n${JSON.stringify(page)}\n\nThat is all.`),
      text(`\`\`\`json\n${JSON.stringify(page)}\n\`\`\``),
    ])
      expect(await selected(result, select)).toBe(value)
  })

  test.each([
    ['lines', text(items.map((item) => JSON.stringify(item)).join('\n'))],
    ['blocks', { content: items.map((item) => ({ type: 'text', text: JSON.stringify(item) })) }],
    [
      'blocks between sentences',
      text(items.map((item) => `Next: ${JSON.stringify(item)}`).join('\n')),
    ],
    [
      'blocks with the list of them',
      {
        content: items.map((item) => ({ type: 'text', text: JSON.stringify(item) })),
        structuredContent: { result: items },
      },
    ],
  ])('each value of %s', async (_name, result) => {
    expect(await selected(result, '[].title')).toBe('["Issue 1","Issue 2","Issue 3"]')
    if (!('structuredContent' in result)) {
      expect(await selected(result, '$[?@.id==3].title')).toBe('["Issue 3"]')
      expect(await selected(result, '$.title')).toBe('["Issue 1","Issue 2","Issue 3"]')
    }
  })

  test('a name is read as the nearest path that ends with it, and the reply says so', async () => {
    const result = text(JSON.stringify({ data: { page } }))
    const reply = textOf(await results.reply(result, { select: ['title'] }))
    expect(reply).toMatch(
      /^\["Issue 1","Issue 2","Issue 3"\]\n\[title read as data\.page\.items\[\]\.title; /,
    )
  })

  test('what selects nothing is answered by the first page, and the nearest names', async () => {
    const long = { items: Array.from({ length: 400 }, (_, id) => issue(id)) }
    const reply = textOf(
      await results.reply(text(JSON.stringify(long)), { params: {}, select: ['items[].titel'] }),
    )
    expect(reply).toMatch(/^\["items\[\]\.titel" selects nothing; nearest: items\[\]\.title/)
    expect(reply).toContain('items[].title: text of')
    const path = textOf(
      await results.reply(text(JSON.stringify(page)), { params: {}, select: ['$.itms[0]'] }),
    )
    expect(path).toMatch(/selects nothing; nearest: items/)
    expect(path).toContain('"Issue 3"')
  })

  test('one of several names that does not exist is said', async () => {
    const reply = textOf(
      await results.reply(text(JSON.stringify(page)), { select: ['total', 'nothing.such'] }),
    )
    expect(reply).toMatch(
      /^\{"total":3\}\n\["nothing.such" selects nothing.*; selected 11 characters/,
    )
  })

  test('in a text, finds it; also in links and embedded texts', async () => {
    const log = Array.from({ length: 900 }, (_, at) => `line ${at}${at === 700 ? ' ERROR 7' : ''}`)
    expect(await selected(text(log.join('\n')), 'ERROR')).toMatch(
      /^\[1 match\]\n[\s\S]*line 700 ERROR 7/,
    )
    const embedded = {
      content: [{ type: 'resource', resource: { uri: 'x://y', text: log.join('\n') } }],
    }
    expect(await selected(embedded, ['error 7'])).toContain('line 700 ERROR 7')
    const links = {
      content: Array.from({ length: 900 }, (_, at) => ({
        type: 'resource_link',
        uri: `x://doc/${at}`,
        name: `Document ${at}`,
      })),
    }
    expect(await selected(links, 'Document 777')).toContain(
      'result.content[777] resource_link x://doc/777',
    )
    expect(await selected(links, "$.content[?@.name=='Document 777'].uri")).toBe('["x://doc/777"]')
  })

  test('what has failed says why', async () => {
    const failed = { ...text('no such repository'), isError: true }
    expect(await results.reply(failed, { select: ['items'] })).toBe(failed)
  })

  test('says what else there was', async () => {
    const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' }
    const result = { content: [{ type: 'text', text: JSON.stringify(page) }, image] }
    const reply = textOf(await results.reply(result, { select: ['total'] }))
    expect(reply).toMatch(
      /^3\n\[selected 1 character; the whole has \d+ characters and 1 block of other types: /,
    )
  })

  test.each([
    ['', 'select is not valid'],
    [[], 'select is not valid'],
    [[1], 'select is not valid'],
    ['x'.repeat(501), 'select is not valid'],
    [Array.from({ length: 21 }, () => 'a'), 'select is not valid'],
    ['$[', 'not a valid JSONPath'],
    ['$..*..*', 'too expensive'],
    [`$${"['a','b']".repeat(6)}`, 'too expensive'],
    [`$[${Array(40).fill('*').join(',')}]`, 'too expensive'],
    ['$[?match(@.a,"x*")]', 'too expensive'],
    ['$[?@.a==$.b]', 'too expensive'],
    ['$[?@..a]', 'too expensive'],
  ])('%j is refused before anything is called', async (select, message) => {
    await expect(wantedIn(select)).rejects.toThrow(message)
  })

  test('absent is absent', async () => {
    expect(await wantedIn(undefined)).toBeUndefined()
    expect(await wantedIn(null)).toBeUndefined()
  })

  test.each<[string, unknown, unknown, string]>([
    [
      'an index and all items',
      page,
      ['items[0].id', 'items[].title'],
      '{"items":[{"id":1,"title":"Issue 1"},{"title":"Issue 2"},{"title":"Issue 3"}]}',
    ],
    [
      'one list of lists',
      {
        m: [
          [1, 2],
          [3, 4],
        ],
        x: 1,
      },
      ['m[1]', 'x'],
      '{"m":[[3,4]],"x":1}',
    ],
    [
      'a key that is a number',
      { m: { 0: 'zero', 1: 'one' }, x: 1 },
      ['m[0]', 'x'],
      '{"m":{"0":"zero"},"x":1}',
    ],
    ['an index with a dot', page, ['items.1.id'], '2'],
    ['a key that is "*"', { paths: { '*': ['a'], b: ['c'] } }, ['paths["*"]'], '["a"]'],
    ['a key with dots', { attrs: { 'http.method': 'GET' } }, ['http.method'], '"GET"'],
    ['a key with a quote and blanks', { "it's": 1, ' a': 2 }, ["it's", ' a'], '{"it\'s":1," a":2}'],
    [
      'a key of the result',
      { result: { content: [{ id: 11 }, { id: 22 }] } },
      ['result.content[1].id'],
      '22',
    ],
    ['a list without items', { items: [], b: 2 }, ['items[].id'], '[]'],
    [
      'the nearest of many',
      { items: Array.from({ length: 3_000 }, () => ({ x: { total: 1 } })), meta: { total: 7 } },
      ['total'],
      '7',
    ],
    [
      'what is deep',
      JSON.parse(`${'{"a":'.repeat(30)}{"wanted":5}${'}'.repeat(30)}`),
      ['wanted'],
      '5',
    ],
  ])('%s', async (_name, json, select, value) => {
    expect(await selected(text(JSON.stringify(json)), select)).toBe(value)
  })

  test.each<[string, JsonObject, string, string]>([
    [
      'short values of JSON lines',
      text('{"id":1}\n{"id":2,"name":"a longer name"}\n\n{"id":3}'),
      '[].id',
      '[1,2,3]',
    ],
    [
      'short values of blocks',
      { content: [1, 2].map((id) => ({ type: 'text', text: `{"id":${id}}` })) },
      '[].id',
      '[1,2]',
    ],
    [
      'an embedded value',
      { content: [{ type: 'resource', resource: { uri: 'x://y', text: '{"id":7}' } }] },
      'id',
      '7',
    ],
    [
      'JSON after signs that open nothing',
      text(`Legend: { is open, [ is list, { again [1].\n${JSON.stringify(page)}`),
      'total',
      '3',
    ],
    [
      'the text next to other structured content',
      { ...text('{"a":{"z":"text"}}'), structuredContent: { b: 1 } },
      'a.z',
      '"text"',
    ],
    [
      'structured content with the same text',
      { ...text('[{"id":1}]'), structuredContent: { result: '[{"id":1}]' } },
      'result',
      '"[{\\"id\\":1}]"',
    ],
  ])('%s', async (_name, result, select, value) => {
    expect(await selected(result, select)).toBe(value)
  })

  test('lines among JSON lines that are not JSON are counted', async () => {
    const lines = Array.from({ length: 300 }, (_, id) =>
      id % 50 === 7 ? `{"id":${id},"t":"cut` : `{"id":${id},"title":"row"}`,
    )
    const reply = textOf(await results.reply(text(lines.join('\n')), { select: ['[].id'] }))
    expect(reply).toMatch(/298,299\]\n\[without 6 lines that are not JSON; selected /)
  })

  test('what some items lack is counted, and their places are kept', async () => {
    const result = text(JSON.stringify({ items: [{ a: 1, b: 1 }, { c: 1 }, { b: 3 }] }))
    const one = textOf(await results.reply(result, { select: ['items[].a'] }))
    expect(one).toMatch(/^\[1\]\n\[items\[\]\.a is missing in 2 of 3; selected/)
    const two = textOf(await results.reply(result, { select: ['items[].a', 'items[].b'] }))
    expect(two).toMatch(
      /^\{"items":\[\{"a":1,"b":1\},\{\},\{"b":3\}\]\}\n\[items\[\]\.a is missing in 2 of 3; items\[\]\.b is missing in 1 of 3;/,
    )
  })

  test('a number that was rounded is named', async () => {
    const reply = textOf(
      await results.reply(text('{"id":12345678901234567890,"n":1}'), { select: ['id'] }),
    )
    expect(reply).toContain('numbers with more than 15 digits are rounded here')
    expect(textOf(await results.reply(text('{"id":12,"n":1}'), { select: ['id'] }))).not.toContain(
      'rounded',
    )
  })

  test('a JSONPath among names is refused unless it is a path of names', async () => {
    await expect(wantedIn(['$..id', 'total'])).rejects.toMatchObject({
      remedy: 'Pass such a JSONPath alone, or names of fields.',
    })
    await expect(wantedIn(['total', '$.items[?@.id==1]'])).rejects.toMatchObject({
      remedy: 'Pass such a JSONPath alone, or names of fields.',
    })
    expect(await selected(text(JSON.stringify(page)), ['$.items[*].id', '$.total'])).toBe(
      '{"total":3,"items":[{"id":1},{"id":2},{"id":3}]}',
    )
  })

  test('a text may begin as a path does', async () => {
    expect(await selected(text(`It costs\n$100 a day. ${'word '.repeat(50)}`), '$100')).toContain(
      '$100 a day',
    )
  })

  test('a word of brackets within brackets is no JSON', async () => {
    const result = text(`x ${'['.repeat(5_000)}${']'.repeat(5_000)}`)
    expect(textOf(await results.reply(result, { params: {}, select: ['id'] }))).toContain(
      'not in the 10002 characters',
    )
  })

  test('work is bounded, and so is what is selected', async () => {
    const { user: from } = process.cpuUsage()
    const key = 'k'.repeat(100_000)
    const wide = text(JSON.stringify({ [key]: Array(50_000).fill(1) }))
    const first = textOf(await results.reply(wide, { params: {} }))
    expect(first.length).toBeLessThan(4_500)
    expect(textOf(await results.reply(wide, { params: {}, select: ['nope'] }))).toContain(
      'selects nothing',
    )
    let deep = '1'
    for (let level = 0; level < 400; level++) deep = `{"a":"${'x'.repeat(2_000)}","n":${deep}}`
    for (const select of [`$..[${Array(32).fill('*').join(',')}]`, '$..*']) {
      const reply = textOf(await results.reply(text(deep), { params: {}, select: [select] }))
      expect(reply).toMatch(/^\["\$\.\..* selects more than 8000000 characters\]\n/)
    }
    // Of 10 s for what took minutes.
    expect(process.cpuUsage().user - from).toBeLessThan(10_000_000)
  })

  test('names of the language are no fields', async () => {
    const result = text(JSON.stringify(page))
    for (const name of ['length', 'constructor', '__proto__', 'toString'])
      expect(textOf(await results.reply(result, { params: {}, select: [name] }))).toContain(
        'selects nothing',
      )
  })
})

const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(1, 'a b', null, true),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'items', 'x y'), tie('value'), { maxKeys: 4 }),
  ),
})).value

test('a part and its pages are those of the selection, whatever is selected', async () => {
  const path = fc.constantFrom('a', 'items[].a', 'b.items', '[].a', 'x y', '$.items[*]', '$..a')
  await fc.assert(
    fc.asyncProperty(json, path, async (value, select) => {
      if (typeof value !== 'object' || value === null) return
      const filler = 'word '.repeat(2_000)
      const result = text(JSON.stringify({ filler, value, a: [value, value] }))
      const reply = textOf(await results.reply(result, { params: {}, select: [select] }))
      const id = /"result":"(r\w+)"/.exec(reply)?.[1]
      if (id === undefined) throw new Error(`no result in ${reply}`)
      const later = await more({ result: id, select })
      const [note] = /^\[.* selects nothing.*\]\n/.exec(reply) ?? []
      // What selects nothing is answered by a page, which may be longer later.
      if (note === undefined) expect(later).toBe(reply)
      else expect(later).toContain(note)
    }),
    { numRuns: 200 },
  )
})
