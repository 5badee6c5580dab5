import { expect } from 'vitest'
import type { Link } from '../rig/link.ts'
import { until } from '../rig/spy-log.ts'
import { type Bag, type Message, meta, questionsIn } from '../rig/wire.ts'

export async function progressArrives({ callTool }: Link) {
  const seen: Bag[] = []
  await callTool('progress', { steps: 3, total: 7.5, label: 'baking' }, { progress: seen })
  expect(seen).toEqual(
    [1, 2, 3].map((progress) => ({ progress, total: 7.5, message: `baking ${progress}` })),
  )
}

export async function noProgressUnasked({ callTool, wire }: Link) {
  const before = wire.received.length
  await callTool('progress', { steps: 2 })
  const methods = wire.received.slice(before).map(({ method }) => method)
  expect(methods).not.toContain('notifications/progress')
}

export async function cancellationArrives({ callTool, spy, at }: Link) {
  const mark = spy.mark()
  const stop = new AbortController()
  const outcome = callTool('slow', {}, { signal: stop.signal }).catch((error: Error) => error)
  const id = await until(() => {
    const call = spy.received(mark, 'tools/call').at(-1)
    expect(call?.params?.['name']).toBe('slow')
    return call?.id
  })
  stop.abort('no longer wanted')
  expect(await outcome).toBeInstanceOf(Error)
  const { era, transport } = at.upstream
  await until(() => {
    const entries = spy.since(mark)
    if (era === 'modern' && transport === 'http') {
      expect(entries).toContainEqual({ event: 'closed', id })
      expect(spy.received(mark, 'notifications/cancelled')).toEqual([])
    } else {
      const told = spy.received(mark, 'notifications/cancelled')
      expect(told.map(({ params }) => params?.['requestId'])).toEqual([id])
    }
    expect(entries).toContainEqual({ event: 'stopped', id })
  })
}

const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']

export async function logIsFiltered({ callTool, request, wire, era }: Link) {
  for (const lowest of ['error', 'debug']) {
    const before = wire.received.length
    if (era === 'legacy') await request('logging/setLevel', { level: lowest })
    const options = era === 'legacy' ? {} : { meta: { [meta('logLevel')]: lowest } }
    await callTool('logs', {}, options)
    const expected = levels
      .slice(levels.indexOf(lowest))
      .map((level) => ({ level, logger: 'spy', data: { level, nested: { n: [1] } } }))
    await until(() => {
      const notes = wire.received.slice(before).filter(isLog)
      expect(notes.map(({ params: { _meta, ...params } = {} }) => params)).toEqual(expected)
    })
  }
}

const isLog = ({ method }: Message) => method === 'notifications/message'

export async function noLogUnasked({ callTool, wire }: Link) {
  const before = wire.received.length
  await callTool('logs')
  expect(wire.received.slice(before).filter(isLog)).toEqual([])
}

/** Makes a call that asks, and gives what was asked and answered on both ends of the way. */
async function asking({ callTool, spy, wire, user }: Link, tool: string, args: Bag = {}) {
  const before = wire.received.length
  const mark = spy.mark()
  user.requested.length = 0
  const result = await callTool(tool, args)
  const shown = questionsIn(wire.received.slice(before))
  const requested = questionsIn(spy.sent(mark))
  expect(user.requested).toHaveLength(requested.length)
  return { shown, asked: requested, answer: result['structuredContent'] as Bag }
}

const samplingArgs = {
  messages: [
    { role: 'user', content: { type: 'text', text: 'two and two?' } },
    { role: 'assistant', content: { type: 'text', text: 'well' } },
  ],
  systemPrompt: 'Be brief.',
  modelPreferences: { hints: [{ name: 'small' }], costPriority: 0.5, speedPriority: 1 },
  includeContext: 'none',
  temperature: 0.5,
  maxTokens: 99,
  stopSequences: ['.'],
  metadata: { vendor: { a: 1 } },
}

/** A question as the client is shown it: with the name of the server that asks. */
function asShown({ method, params = {} }: Message, { at }: Link): object {
  if (at.way === 'direct') return { method, params }
  if (method === 'sampling/createMessage') {
    const whose = 'This is a request of the MCP server spy.'
    const { systemPrompt } = params
    return {
      method,
      params: {
        ...params,
        systemPrompt: systemPrompt ? `${whose}\n\n${systemPrompt}` : whose,
      },
    }
  }
  return { method, params: { ...params, message: messageFrom(params['message'], at) } }
}

export const messageFrom = (message: unknown, { way }: Link['at']): string =>
  way === 'direct' ? String(message) : `spy asks: ${message}`

export async function samplingArrives(link: Link) {
  const { shown, asked: requested, answer } = await asking(link, 'samples', samplingArgs)
  expect(requested).toEqual([{ method: 'sampling/createMessage', params: samplingArgs }])
  expect(shown).toEqual(requested.map((question) => asShown(question, link)))
  expect(answer).toEqual({ answer: link.user.sampling({}) })
}

export async function formIsAsked(link: Link) {
  const answers = [
    { action: 'accept', content: { name: 'Ada', age: 36 } },
    { action: 'decline' },
    { action: 'cancel' },
  ]
  for (const given of answers) {
    link.user.elicitation = () => given
    const {
      shown,
      asked: requested,
      answer,
    } = await asking(link, 'elicits', { message: 'Who are you?' })
    expect(requested).toHaveLength(1)
    expect(shown).toEqual(requested.map((question) => asShown(question, link)))
    expect(answer).toEqual({ answer: given })
  }
}

export async function urlIsShown(link: Link) {
  link.user.elicitation = () => ({ action: 'accept' })
  const url = 'https://spy.example/consent?state=%C3%A9'
  const { shown, answer } = await asking(link, 'elicits_url', { url })
  // Only 2025 has an `elicitationId`, so it cannot be compared from era to era.
  expect(shown).toMatchObject([
    {
      method: 'elicitation/create',
      params: {
        mode: 'url',
        message:
          link.at.way === 'direct'
            ? 'Please open'
            : 'spy asks you to open spy.example: Please open',
        url,
      },
    },
  ])
  expect(answer).toEqual({ answer: { action: 'accept' } })
}

export async function rootsAreListed(link: Link) {
  const { shown, asked: requested, answer } = await asking(link, 'lists_roots')
  expect(shown.map(({ method }) => method)).toEqual(['roots/list'])
  expect(requested).toHaveLength(1)
  expect(answer).toEqual({ answer: link.user.roots() })
}

export async function twoQuestionsInARow(link: Link) {
  link.user.elicitation = ({ message }) => ({
    action: 'accept',
    content: { name: `re ${message}` },
  })
  const {
    shown,
    asked: requested,
    answer,
  } = await asking(link, 'asks_twice', { first: 'a?', second: 'b?' })
  expect(requested).toHaveLength(2)
  expect(shown).toEqual(requested.map((question) => asShown(question, link)))
  expect(answer).toEqual({
    one: { action: 'accept', content: { name: `re ${messageFrom('a?', link.at)}` } },
    two: { action: 'accept', content: { name: `re ${messageFrom('b?', link.at)}` } },
  })
}

export async function threeQuestionsAtOnce(link: Link) {
  const given = { action: 'accept', content: { name: 'Ada' } }
  link.user.elicitation = () => given
  const { asked: requested, answer } = await asking(link, 'asks_together', samplingArgs)
  expect(requested).toHaveLength(3)
  expect(answer).toEqual({ form: given, model: link.user.sampling({}), roots: link.user.roots() })
}

export async function promptMayAsk({ request, promptName, user }: Link) {
  const given = { action: 'accept', content: { name: 'Ada' } }
  user.elicitation = () => given
  const result = await request('prompts/get', { name: promptName('asking') })
  const content = { type: 'text', text: JSON.stringify(given) }
  expect(result['messages']).toEqual([{ role: 'user', content }])
}

export async function changedRootsAreTold({ notifyRootsChanged, spy }: Link) {
  const mark = spy.mark()
  await notifyRootsChanged()
  await until(() => {
    expect(spy.received(mark, 'notifications/roots/list_changed')).toHaveLength(1)
  })
}
