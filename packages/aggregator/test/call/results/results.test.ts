import { readdirSync, readFileSync, statSync } from 'node:fs'
import { estimateTokens } from '@pith-mcp/paginator'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../../base/test/temporary-folder.ts'
import type { JsonObject } from '../../../../servers/src/protocol/message.ts'
import { documentOf } from '../../../src/call/results/document.ts'
import { createResults } from '../../../src/call/results/results.ts'
import {
  createResultFiles,
  createResultStore,
} from '../../../src/call/results/tiered-result-store.ts'
import { readMore } from '../../../src/tools/read-more.ts'
import { createClient, text, textOf } from '../../fake-servers.ts'

const budgets = {
  reply: { characters: 20_000, tokens: 10_000 },
  first: { characters: 4_000, tokens: 1_000 },
}
const results = createResults(createResultStore(), budgets)
const context = createClient().context()
const more = (args: JsonObject) =>
  readMore.answer(args, { context, results, view: {} as never }, {} as never)

const lines = Array.from(
  { length: 4_000 },
  (_, at) => `line ${at}: ${'word '.repeat(at % 12)}`,
).join('\n')
const items = Array.from({ length: 900 }, (_, id) => ({ id, name: `n${id}`, tags: ['a', 'b,c'] }))

/** The pages of a result, as whoever follows the calls gets them, put together again. */
async function wholeOf(first: JsonObject): Promise<{ text: string; replies: string[] }> {
  const replies: string[] = []
  let whole = ''
  let reply = textOf(first)
  for (;;) {
    replies.push(reply)
    const [, from, to] = /^\[characters (\d+)–(\d+) of/.exec(reply) ?? []
    if (from === undefined) return { text: whole + reply, replies }
    const body = reply
      .replace(/^.*\n(?:\[(?:JSON of|\d+ values? of base64).*\n)*/, '')
      .replace(/^\[outline\][\s\S]*?\n\[page\]\n/, '')
    const end = Number(to) - Number(from)
    const page = body.slice(0, end)
    expect(body[end]).toBe('\n')
    whole += page
    const [, args] = /^\[more: read_more\((\{.*?\})\)/m.exec(body.slice(end)) ?? []
    if (args === undefined) return { text: whole, replies }
    reply = textOf(await more(JSON.parse(args)))
  }
}

test('a long result names a file with its text, which only the user can read', async () => {
  const folder = temporaryFolder(onTestFinished)
  const kept = createResults(createResultStore(), budgets, createResultFiles(folder))
  expect(await kept.fit(text('short'))).toEqual(text('short'))
  const page = await kept.fit(text(lines))
  const path = /^\[the whole text is in (.+)\]$/m.exec(textOf(page))?.[1] ?? ''
  expect(readFileSync(path, 'utf8')).toBe(lines)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  await kept.close()
  expect(readdirSync(folder)).toEqual([])
})

describe('what fits stays as it is', () => {
  test.each([
    [text('short')],
    [
      {
        content: [{ type: 'text', text: 'x', annotations: { a: 1 } }],
        structuredContent: { y: 1 },
        extra: 1,
      },
    ],
    [{ content: [{ type: 'image', data: 'A'.repeat(100_000), mimeType: 'image/png' }] }],
    [{ content: [], isError: true }],
    [{ resultType: 'input_required', inputRequests: {} }],
  ])('%#', async (result) => {
    expect(await results.fit(result)).toBe(result)
  })
})

describe('a long result comes in pages that add up to it', () => {
  test.each([
    ['lines', lines],
    ['one line', 'word '.repeat(20_000)],
    ['no blanks', 'x'.repeat(70_000)],
    ['minified JSON', JSON.stringify({ items })],
    ['indented JSON', JSON.stringify({ items }, null, 2)],
    ['Japanese', '漢字かな交じり文。'.repeat(4_000)],
    ['emoji', '👩‍👩‍👧‍👦 '.repeat(5_000)],
  ])('%s', async (_name, content) => {
    const { text: whole, replies } = await wholeOf(await results.fit(text(content)))
    // JSON comes without the blanks between its values.
    expect(whole).toBe(content.startsWith('{') ? JSON.stringify(JSON.parse(content)) : content)
    for (const reply of replies) {
      expect(reply.length).toBeLessThanOrEqual(20_000)
      expect(estimateTokens(reply)).toBeLessThanOrEqual(10_000)
    }
  })

  test('pages of JSON end after a member', async () => {
    const first = textOf(await results.fit(text(JSON.stringify({ items }))))
    expect(first).toMatch(/^items: 900 items\nitems\[\]\.id: 0–899$/m)
    expect(first.slice(0, first.lastIndexOf('\n'))).toMatch(/[,}\]]$/)
  })

  test('whether it failed, and what is said of it, is kept', async () => {
    const result = { ...text(lines), isError: true, _meta: { mine: 1 } }
    const fitted = await results.fit(result)
    expect(fitted).toMatchObject({
      isError: true,
      _meta: {
        mine: 1,
        'io.github.pith-mcp/result': { result: expect.stringMatching(/^r[0-9a-f]{12}$/) },
      },
    })
  })
})

describe('structured content', () => {
  test('that the text repeats is sent once', async () => {
    const data = { items: items.slice(0, 300) }
    const result = { ...text(JSON.stringify(data)), structuredContent: data }
    const fitted = await results.fit(result)
    expect(textOf(fitted)).toBe(JSON.stringify(data))
    expect(fitted).not.toHaveProperty('structuredContent')
  })

  test('that holds the text under a key is sent once', async () => {
    const content = lines.slice(0, 15_000)
    const fitted = await results.fit({ ...text(content), structuredContent: { content } })
    expect(textOf(fitted)).toBe(content)
  })

  test.each([
    [{ ...text('ok'), structuredContent: { status: 'ok', id: 42 } }, '"id":42'],
    [
      { ...text(lines), structuredContent: { items: lines, nextCursor: 'CUR-1' } },
      '"nextCursor":"CUR-1"',
    ],
  ])('that holds the text and more is not lost: %#', async (result, said) => {
    const { text: whole } = await wholeOf(text(documentOf(result).text))
    expect(whole).toContain(said)
  })

  test('that the text does not say follows it', async () => {
    const data = { items }
    const { text: whole } = await wholeOf(
      await results.fit({ ...text('900 items'), structuredContent: data }),
    )
    expect(whole).toBe(`900 items\n\nstructuredContent:\n${JSON.stringify(data)}`)
  })
})

describe('nothing makes a reply longer than it may be', () => {
  const link = { type: 'resource_link', uri: 'x://y', name: 'n'.repeat(100) }
  const blob = (size: number) => ({
    type: 'resource',
    resource: { uri: 'x://z', blob: 'A'.repeat(size) },
  })
  test.each([
    ['links', { content: Array.from({ length: 5_000 }, () => link) }],
    ['blobs', { content: Array.from({ length: 200 }, () => blob(19_000)) }],
    ['large blobs', { content: Array.from({ length: 1_000 }, () => blob(50_000)) }],
    ['what is said of it', { ...text('x'), _meta: { long: 'y'.repeat(100_000) } }],
    ['members nobody knows', { ...text('x'), toolResult: 'y'.repeat(100_000) }],
    ['content that is none', { content: 'x'.repeat(100_000) }],
    [
      'too many pictures',
      {
        content: Array.from({ length: 9 }, () => ({ type: 'image', data: 'A'.repeat(2_000_000) })),
      },
    ],
  ])('%s', async (_name, result) => {
    const fitted = (await results.fit(result as JsonObject)) as { content: JsonObject[] }
    const media = fitted.content.reduce((sum, { data = '' }) => sum + String(data).length, 0)
    expect(media).toBeLessThanOrEqual(5 * 1024 * 1024)
    expect(JSON.stringify(fitted).length - media).toBeLessThanOrEqual(20_500)
    expect(textOf(fitted)).toContain('read_more(')
  })

  test('and what was left out is a call away', async () => {
    const fitted = await results.fit({
      content: Array.from({ length: 500 }, (_, at) => ({ ...link, name: `n${at}` })),
    })
    const [, id] = /"result":"(r[0-9a-f]{12})"/.exec(textOf(fitted)) ?? []
    expect(textOf(await more({ result: id, path: 'result.content[499]' }))).toContain(
      '"name":"n499"',
    )
  })
})

describe('read_more', () => {
  const idOf = async (result: JsonObject) =>
    ((await results.fit(result))['_meta'] as Record<string, { result: string }>)[
      'io.github.pith-mcp/result'
    ]?.result

  test.each([
    ['$.items[0]', '{"id":0,"name":"n0","tags":["a","b,c"]}'],
    ['items[1].name', '"n1"'],
    ['$.items[0:2].id', '[0,1]'],
    ['items[].id', `[${items.map(({ id }) => id).join(',')}]`],
    ['$.items[?@.id==5].name', '["n5"]'],
    ['$..items[899].id', '[899]'],
  ])('gives %s', async (path, value) => {
    const whole = JSON.stringify({ items })
    const size = whole.length
    const result = await idOf(text(whole))
    expect(textOf(await more({ result, path }))).toBe(
      `${value}\n[selected ${value === '"n1"' ? 2 : value.length} characters; the whole has ${size} characters: read_more({"result":"${result}"})]`,
    )
  })

  test('gives long parts in pages, too', async () => {
    const result = await idOf(text(JSON.stringify({ items })))
    const { text: whole } = await wholeOf(await more({ result, path: '$.items' }))
    expect(JSON.parse(whole)).toEqual(items)
  })

  test('finds the places of a text with what is around them', async () => {
    const result = await idOf(text(lines))
    const found = textOf(await more({ result, query: 'LINE 1234:' }))
    expect(found).toMatch(
      /^\[1 match\]\n\[line 1233, character \d+\]\nline 1232[\s\S]*line 1234[\s\S]*line 1236/,
    )
  })

  test('finds words that do not stand together', async () => {
    const result = await idOf(text(`alpha ${'x '.repeat(20_000)} omega`))
    expect(textOf(await more({ result, query: 'alpha omega' }))).toContain('[2 matches]')
  })

  test.each([
    [{ path: '$[' }, 'is not a valid JSONPath'],
    [{ path: '$..*..*' }, 'too expensive'],
    [{ path: '$.items[?count($..*)>0]' }, 'too expensive'],
    [{ path: '$..[?@[?@.id==1]]' }, 'too expensive'],
    [{ path: '$.items[?search(@.name, "(a+)+$")]' }, 'too expensive'],
    [{ query: 'nowhere to be found' }, 'does not contain'],
    [{ page: '5.abcdef' }, 'is not a page of this result'],
    [{ query: 'a', path: '$' }, 'query is not valid: "a".'],
  ])('says what is wrong with %j', async (args, message) => {
    const result = await idOf(text(JSON.stringify({ items })))
    await expect(more({ result, ...args })).rejects.toThrow(message)
  })

  test('says that a result has gone', async () => {
    await expect(more({ result: 'r000000000000' })).rejects.toMatchObject({
      code: 'unknown_result',
    })
    await expect(more({ result: '../../etc/passwd' })).rejects.toMatchObject({
      code: 'unknown_result',
    })
  })

  test('gives data that were too large to send', async () => {
    const blob = 'B'.repeat(30_000)
    const block = {
      type: 'resource',
      resource: { uri: 'x://y', blob, mimeType: 'application/zip' },
    }
    const fitted = await results.fit({ content: [{ type: 'text', text: 'see' }, block] })
    const said = textOf(fitted)
    expect(said).toMatch(
      /^see\n\[1 not shown: content\[1\] application\/zip x:\/\/y, 22500 bytes: read_more\(/,
    )
    const [, args] = /read_more\((\{.*?\})\)/.exec(said) ?? []
    const named = JSON.parse(args ?? '')
    expect(textOf(await more(named))).toContain('"blob":"[30000 characters of base64]"')
    const { text: whole } = await wholeOf(await more({ ...named, format: 'json' }))
    expect(JSON.parse(whole)).toEqual(block)
  })
})

describe('what is kept', () => {
  const folder = temporaryFolder()

  test('moves to disk when memory is full, makes room there, and expires', async () => {
    const store = createResultStore(folder, { memoryBytes: 5_000, diskBytes: 9_000, ttlMs: 60_000 })
    for (let at = 0; at < 12; at++) store.put(`r${at}`, `${at}`.padEnd(2_000, 'x'))
    expect(await store.get('r11')).toContain('11x')
    expect(await store.get('r8')).toContain('8x')
    expect(await store.get('r0')).toBeUndefined()
    expect(readdirSync(folder).length).toBeLessThanOrEqual(4)
    store.close()
    expect(readdirSync(folder)).toEqual([])
  })

  test('a result larger than memory goes to disk at once', async () => {
    const store = createResultStore(folder, { memoryBytes: 1_000 })
    store.put('rbig', 'y'.repeat(10_000))
    expect(await store.get('rbig')).toHaveLength(10_000)
    store.close()
  })

  test('after its time it is gone', async () => {
    const store = createResultStore(undefined, { ttlMs: 20 })
    store.put('r1', 'x')
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(await store.get('r1')).toBeUndefined()
  })
})
