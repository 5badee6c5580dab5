import { expect, test } from 'vitest'
import type { Era } from '../../../../servers/src/protocol/message.ts'
import { asAnswer } from '../../../src/upstream/transport/as-answer.ts'
import { answerWith, at, type Framed, openAt, serveOddly } from './odd-http-server.ts'

const json = 'application/json'
const stream = 'text/event-stream'
const content = [{ type: 'text', text: 'read' }]
const message = (members: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 0, ...members }).replace('"id":0', '"id":$ID')
const good = message({ result: { content, resultType: 'complete' } })
const pretty = JSON.stringify(JSON.parse(good.replace('$ID', '0')), null, 2).replace(
  '"id": 0',
  '"id": $ID',
)
const progress = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: {} })

const events = (body: string): Framed => ({ type: stream, body })

/** What came, and what the caller reads: the text of the result, or the reason. */
const rows: [string, Framed, RegExp][] = [
  ['an event', events(`event: message\ndata: ${good}\n\n`), /^read$/],
  ['an event without its blank line', events(`data: ${good}\n`), /^read$/],
  ['an event without any end', events(`data:${good}`), /^read$/],
  ['an event with CRLF', events(`event: message\r\ndata: ${good}\r\n\r\n`), /^read$/],
  ['an event with CR', events(`data: ${good}\r\r`), /^read$/],
  ['an event with a byte order mark', events(`\ufeffdata: ${good}\n\n`), /^read$/],
  [
    'an event over several lines',
    events(`data: ${pretty.replaceAll('\n', '\ndata: ')}\n\n`),
    /^read$/,
  ],
  [
    'comments and other events first',
    events(`: hi\n\nevent: ping\ndata: 1\n\ndata: ${good}\n\n`),
    /^read$/,
  ],
  ['a notification first', events(`data: ${progress}\n\ndata: ${good}\n`), /^read$/],
  ['JSON without data', events(good), /^read$/],
  ['JSON over several lines without data', events(pretty), /^read$/],
  ['lines of JSON', events(`${progress}\n${good}\n`), /^read$/],
  ['JSON after an event', events(`data: ${progress}\n\n${good}`), /^read$/],
  [
    'an event with an error without an id',
    events('data: {"jsonrpc":"2.0","error":{"code":-1,"message":"no"}}\n\n'),
    /^no$/,
  ],
  [
    'an event with null for its error',
    events(`data: ${message({ result: { content }, error: null })}\n\n`),
    /^read$/,
  ],
  ['an empty stream', events(''), /an empty event stream$/],
  ['a comment', events(': hi\n\n'), /an event stream without an answer that begins with ": hi/],
  ['a page in a stream', events('<html>\n'), /without an answer that begins with "<html>/],
  ['half of an answer', events('data: {"jsonrpc":"2.0","id"'), /without an answer that begins/],
  [
    'half of bare JSON',
    events('{"jsonrpc":"2.0",\n"id"'),
    /without an answer that begins with "\{/,
  ],
  ['a notification alone', events(`data: ${progress}\n\n`), /without an answer/],
  [
    'an answer to another request',
    events(`data: ${good.replace('$ID', '"x"')}\n\n`),
    /without an answer/,
  ],
  [
    'the result null in an event',
    events(`data: ${message({ result: null })}\n\n`),
    /not an object: null/,
  ],
  ['JSON', { type: json, body: good }, /^read$/],
  ['a batch', { type: json, body: `[${progress},${good}]` }, /^read$/],
  ['JSON with another id', { type: json, body: good.replace('$ID', '"1"') }, /^read$/],
  ['JSON without jsonrpc', { type: json, body: good.replace('"jsonrpc":"2.0",', '') }, /^read$/],
  ['a text as error', { type: json, body: message({ error: 'out of luck' }) }, /out of luck$/],
  ['no JSON', { type: json, body: 'oops' }, /"oops" instead of JSON/],
  ['nothing', { type: json }, /"" instead of JSON/],
  ['an empty list', { type: json, body: '[]' }, /not a JSON-RPC response: \[\]/],
  ['another object', { type: json, body: '{"ok":true}' }, /not a JSON-RPC response: \{"ok":true\}/],
  ['202', { status: 202 }, /HTTP 202 and without an answer/],
  ['204', { status: 204 }, /HTTP 204 and without an answer/],
  ['a page', { type: 'text/html', body: '<p>' }, /text\/html/],
  [
    '429',
    { status: 429, headers: { 'retry-after': '20' }, body: 'slow' },
    /HTTP 429: .*slow.*Retry-After: 20$/,
  ],
  ['503', { status: 503, headers: { 'retry-after': 'soon' } }, /HTTP 503$/],
  ['500 with a page', { status: 500, type: 'text/html', body: '<html>' }, /HTTP 500$/],
  [
    '403 with an error',
    { status: 403, body: message({ error: { code: -1, message: 'no' } }) },
    /HTTP 403/,
  ],
  [
    '422 with an error',
    { status: 422, body: message({ error: { code: -32050, message: 'no' } }) },
    /HTTP 422, code -32050: .*no/,
  ],
]

const table = (['legacy', 'modern'] as const).flatMap((era) =>
  rows.map(([what, framed, expected]): [Era, string, Framed, RegExp] => [
    era,
    what,
    framed,
    expected,
  ]),
)

test.each(table)('a %s call that is answered with %s', async (era, _, framed, expected) => {
  const { url, close } = await serveOddly(answerWith('tools/call', framed), era)
  const { connection, call } = await openAt(at(url), { era })
  const said = await call()
  expect(said).toMatch(expected)
  expect(said).not.toMatch(/invalid_|Zod|Error POSTing/)
  await connection.close()
  close()
})

test.each(['legacy', 'modern'] as const)('a %s call whose stream breaks off', async (era) => {
  const { url } = await serveOddly(({ method }, response) => {
    if (method !== 'tools/call') return false
    response.writeHead(200, { 'content-type': stream })
    response.write(`data: ${progress}\n\n`, () => response.destroy())
    return true
  }, era)
  const { connection, call } = await openAt(at(url), { era })
  expect(await call()).toBe('its event stream broke off before the answer')
  await expect(connection.closed).resolves.toMatch(/broke off/)
})

test('a stream that can be resumed is resumed, and its end is an error', async () => {
  const { url, requests } = await serveOddly(
    answerWith('tools/call', events(`id: 7\nretry: 1\ndata: ${progress}\n\n`)),
  )
  const { call } = await openAt(at(url))
  expect(await call()).toBe('its event stream broke off before the answer')
  expect(requests.filter((method) => method === 'tools/call')).toHaveLength(1)
})

test('concurrent calls get their own answers', async () => {
  let count = 0
  const { url } = await serveOddly((request, response) => {
    if (request.method !== 'tools/call') return false
    const framed = events(count++ % 2 === 0 ? `data: ${good}` : '')
    return answerWith('tools/call', framed)(request, response)
  })
  const { call } = await openAt(at(url))
  const said = await Promise.all([1, 2, 3, 4].map(() => call()))
  expect(said.filter((one) => one === 'read')).toHaveLength(2)
  expect(said.filter((one) => one.includes('an empty event stream'))).toHaveLength(2)
})

const resultOf = (result: object): object =>
  (asAnswer({ jsonrpc: '2.0', id: 1, result } as never) as unknown as { result: object }).result

test('null counts as absent where MCP has an optional member', () => {
  const block = { type: 'text', text: 'a' }
  const given = {
    content: [
      { ...block, annotations: null, _meta: null },
      { type: 'resource', resource: { uri: 'a:b', text: 'a', mimeType: null } },
    ],
    structuredContent: null,
    isError: null,
    nextCursor: null,
    _meta: null,
  }
  expect(resultOf(given)).toEqual({
    content: [block, { type: 'resource', resource: { uri: 'a:b', text: 'a' } }],
  })
})

test('null stays where it says something', () => {
  const given = {
    resultType: 'complete',
    content: [],
    structuredContent: { text: null, title: null },
    _meta: { 'x/y': null },
    ttl: null,
    other: null,
  }
  expect(resultOf(given)).toBe(given)
  const nothing = { resultType: 'complete', content: [], structuredContent: null }
  expect(resultOf(nothing)).toEqual(nothing)
})

test('a result nested without end is left as it is', () => {
  let content: unknown = 1
  for (let depth = 0; depth < 20_000; depth++) content = { content }
  const given = { content }
  expect(resultOf(given)).toBe(given)
})
