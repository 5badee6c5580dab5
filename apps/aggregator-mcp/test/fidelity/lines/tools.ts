import { expect } from 'vitest'
import type { Link } from '../rig/link.ts'
import { until } from '../rig/spy-log.ts'
import { answerOf, type Bag, meta } from '../rig/wire.ts'
import { messageFrom } from './during-a-call.ts'

const longName = 'a_name_of_seventy_characters_which_is_more_than_several_clients_can_do'

async function resultIsVerbatim({ callTool, spy }: Link, tool: string, args: Bag = {}) {
  const result = await callTool(tool, args)
  const sent = spy.lastAnswer('tools/call')?.result
  expect(sent).toBeDefined()
  expect(answerOf(result)).toEqual(answerOf(sent))
  return result
}

export async function definitionsAreVerbatim({ list, spy, at }: Link) {
  const nameless = (tools: Bag[]) => tools.map(({ name, ...rest }) => rest)
  const listed = await list('tools/list', 'tools')
  const sent = spy.lastList('tools')
  expect(sent.length).toBeGreaterThan(20)
  for (const tool of nameless(sent)) {
    expect(nameless(listed).find(({ title }) => title === tool['title'])).toEqual(tool)
  }
  const echo = listed.find(({ title }) => title === 'Spy: echo')
  expect(echo?.['name']).toBe(at.way === 'full' ? 'spy__echo' : 'echo')
}

export async function namesAreSafe({ list }: Link) {
  for (const { name } of await list('tools/list', 'tools')) {
    expect(name).toMatch(/^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/)
  }
}

export async function richResultIsVerbatim(link: Link) {
  await resultIsVerbatim(link, 'rich')
  await resultIsVerbatim(link, 'echo', { text: 'a\u2028b', deep: [1, null], none: null })
}

export async function bigResultIsWhole(link: Link) {
  await resultIsVerbatim(link, 'big', { size: 2_000_000 })
}

export async function toolErrorIsKept(link: Link) {
  const result = await resultIsVerbatim(link, 'fails', { why: 'asked to' })
  expect(result).toMatchObject({ isError: true, structuredContent: { why: 'asked to' } })
}

export async function protocolErrorIsKept({ callTool, at }: Link) {
  // By call, a model reads whose text it is.
  const said = (text: string) => (at.way === 'call' ? `<server-text>${text}</server-text>` : text)
  const error = { code: -32050, message: 'not today', data: { why: ['a', null], deep: { n: 1 } } }
  await expect(callTool('errors', error)).rejects.toMatchObject({
    error: { ...error, message: said(error.message) },
  })
  const invalid = { code: -32602, message: 'no such argument', data: 'a text' }
  await expect(callTool('errors', invalid)).rejects.toMatchObject({
    error: { ...invalid, message: said(invalid.message) },
  })
}

export async function requestMetaArrives({ callTool, request, spy, promptName }: Link) {
  const given = {
    'fidelity.example/key': { nested: [1, null] },
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    tracestate: 'vendor=1',
    baggage: 'user=ada',
  }
  const mark = spy.mark()
  const result = await callTool('echo', { text: 'x' }, { meta: given })
  expect(result['structuredContent']).toMatchObject({ meta: given })
  await request('prompts/get', {
    name: promptName('greet'),
    arguments: { who: 'Ada' },
    _meta: given,
  })
  await request('resources/read', { uri: 'spy://text', _meta: given })
  for (const method of ['prompts/get', 'resources/read']) {
    expect(spy.received(mark, method).at(-1)?.params?._meta).toMatchObject(given)
  }
}

export async function oddNamesAreCallable({ callTool }: Link) {
  const dotted = await callTool('spy.dotted-name', { a: 1 })
  expect(dotted['structuredContent']).toEqual({ dotted: { a: 1 } })
  const long = await callTool(longName, { a: 2 })
  expect(long['structuredContent']).toEqual({ long: { a: 2 } })
}

export async function headerParameterArrives({ callTool, at }: Link) {
  const overHttp = at.upstream.transport === 'http' && at.upstream.era === 'modern'
  for (const region of ['eu-1', ' Zürich ']) {
    const result = await callTool('param_header', { region, note: 'n' })
    const { header, region: arrived } = result['structuredContent'] as Bag
    expect(arrived).toBe(region)
    if (overHttp) expect(header).toEqual(expect.any(String))
  }
}

export async function unknownToolIsAnError({ callTool, at }: Link) {
  if (at.way === 'full') return
  const rejection = await callTool('no_such_tool').catch((error: Error) => error)
  const isError = rejection instanceof Error || rejection['isError'] === true
  expect(isError).toBe(true)
}

export async function callsNeverCross({ callTool, user, at }: Link) {
  const labels = Array.from({ length: 8 }, (_, index) => `label-${index}`)
  user.elicitation = ({ message }) => ({ action: 'accept', content: { name: String(message) } })
  const progressing = labels.map(async (label) => {
    const progress: Bag[] = []
    const result = await callTool('progress', { label, steps: 3 }, { progress })
    expect(result['content']).toEqual([{ type: 'text', text: `${label} done` }])
    expect(progress.map(({ message }) => message)).toEqual(
      [1, 2, 3].map((step) => `${label} ${step}`),
    )
  })
  const asking = labels.map(async (message) => {
    const result = await callTool('elicits', { message })
    expect(result['structuredContent']).toEqual({
      answer: { action: 'accept', content: { name: messageFrom(message, at) } },
    })
  })
  await Promise.all([...progressing, ...asking])
}

export async function spyNeverPosesAsTheServer({ wire }: Link) {
  const names = wire.received.flatMap(({ result }) => {
    const info = (result?.['_meta'] as Bag | undefined)?.[meta('serverInfo')] as Bag | undefined
    return [info?.['name'], (result?.['serverInfo'] as Bag | undefined)?.['name']]
  })
  expect(names).not.toContain('spy')
}

export async function crashIsSurvived({ callTool, at }: Link) {
  const before = performance.now()
  const outcome = await callTool('crashes').then(
    (result) => (result['isError'] ? JSON.stringify(result['content']) : 'no error'),
    (error: Error) => error.message,
  )
  expect(outcome).toMatch(
    /closed|exit|crash|terminat|lost|failed|disconnect|ended|died|stopped|gone/i,
  )
  if (at.way !== 'direct') expect(outcome).toContain('spy')
  expect(performance.now() - before).toBeLessThan(3000)
  await until(async () => {
    const result = await callTool('echo', { text: 'again' })
    expect(result['structuredContent']).toMatchObject({ args: { text: 'again' } })
  }, 5000)
}
