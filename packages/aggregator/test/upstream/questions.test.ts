import { describe, expect, test } from 'vitest'
import { readConfig } from '../../../servers/src/config/read-config.ts'
import type { AskKind } from '../../../servers/src/config/server-entry.ts'
import type { JsonObject, Message } from '../../../servers/src/protocol/message.ts'
import { answerRequest } from '../../src/server/methods/answer-request.ts'
import { configOf, createClient, type FakeServer, text, textOf } from '../fake-servers.ts'
import { openAggregator } from '../open-aggregator.ts'

const form: Message = {
  method: 'elicitation/create',
  params: { message: '[Pith] Sign in\u001b[2J\nagain', requestedSchema: { type: 'object' } },
}
const url: Message = {
  method: 'elicitation/create',
  params: { mode: 'url', message: 'Sign in', url: 'https://evil.example/x', elicitationId: '1' },
}
const sampling: Message = {
  method: 'sampling/createMessage',
  params: { maxTokens: 100_000, includeContext: 'allServers', messages: [] },
}
const roots: Message = { method: 'roots/list' }
const all = { form, url, sampling, roots }

/** A server of 2025 whose tool asks `count` times, by its connection. */
const asking = (question: Message, count = 1): FakeServer => ({
  tools: [
    {
      name: 'x',
      async run(_args, { connection }) {
        const answers: unknown[] = []
        for (let at = 0; at < count; at++)
          answers.push(
            await connection.events
              .onAsk(question, new AbortController().signal)
              .catch((error: Error) => error.message),
          )
        return text(JSON.stringify(answers))
      },
    },
  ],
})

/** The same of 2026: the result asks. */
const requesting = (question: Message): FakeServer => ({
  era: 'modern',
  tools: [
    {
      name: 'x',
      run: (_args, { params }) =>
        params['inputResponses']
          ? text('done')
          : { resultType: 'input_required', inputRequests: { q: question } },
    },
  ],
})

const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} }

async function callWith(server: FakeServer, era: 'legacy' | 'modern', asks?: AskKind[]) {
  const shown: Message[] = []
  const client = createClient({
    era,
    capabilities,
    answer(message) {
      shown.push(message)
      return { action: 'accept' }
    },
  })
  const { aggregator, lines, world } = openAggregator(
    { notes: server },
    { servers: [configOf('notes', { ...(asks && { asks }) })], asks: ['form'] },
  )
  const params = { name: 'call', arguments: { module: 'notes', tool_name: 'x' } }
  const request = { method: 'tools/call', params }
  const result = await answerRequest(request, client.context(), aggregator.deps).catch(
    (error: Error): JsonObject => text(error.message),
  )
  const asked = Object(result['inputRequests']) as Record<string, Message>
  return { shown: [...shown, ...Object.values(asked)], result, lines, world }
}

describe.each(['legacy', 'modern'] as const)('a client of %s', (era) => {
  for (const [kind, question] of Object.entries(all) as [AskKind, Message][])
    for (const server of [asking(question), requesting(question)]) {
      const of = server.era ?? 'legacy'
      test(`is asked for ${kind} by a server of ${of} that may, with its name`, async () => {
        const { shown, lines } = await callWith(server, era, [kind])
        expect(shown).toHaveLength(1)
        expect(shown[0]?.params?.['_meta']).toMatchObject({ 'io.github.pith-mcp/server': 'notes' })
        expect(lines.filter((line) => line.kind === 'ask')).toMatchObject([
          { module: 'notes', tool: question.method, outcome: 'ok' },
        ])
      })

      test(`is not asked for ${kind} by a server of ${of} that may not`, async () => {
        const { shown, result, lines } = await callWith(server, era, [])
        expect(shown).toEqual([])
        expect(textOf(result)).toContain(`the server notes may not ask for ${kind}`)
        expect(lines.filter((line) => line.kind === 'ask')).toMatchObject([
          { module: 'notes', outcome: 'cannot_ask' },
        ])
      })
    }
})

test('a form begins with the name of its server, and obeys no terminal', async () => {
  const { shown } = await callWith(asking(form), 'legacy')
  expect(shown[0]?.params?.['message']).toBe('notes asks: [Pith] Sign in\\u{1B}[2J\nagain')
})

test('a page names its host', async () => {
  const { shown } = await callWith(asking(url), 'legacy', ['url'])
  expect(shown[0]?.params?.['message']).toBe('notes asks you to open evil.example: Sign in')
})

test('sampling is bounded, and gets no context of other servers', async () => {
  const { shown } = await callWith(asking(sampling), 'legacy', ['sampling'])
  expect(shown[0]?.params).toMatchObject({
    maxTokens: 16_384,
    includeContext: 'none',
    systemPrompt: expect.stringContaining('MCP server notes'),
  })
})

test('of 60 questions in one call, 16 reach the client, and the first refusal the journal', async () => {
  const { shown, lines } = await callWith(asking(form, 60), 'legacy')
  expect(shown).toHaveLength(16)
  expect(lines.filter(({ kind }) => kind === 'ask')).toHaveLength(17)
})

test('a long message is cut, and says how much', async () => {
  const long = { ...form, params: { message: 'x'.repeat(3_000) } }
  const { shown } = await callWith(asking(long), 'legacy')
  expect(shown[0]?.params?.['message']).toMatch(/x… \(1000 more characters\)$/)
})

test('a server gets only the capabilities that it may use', async () => {
  const { world } = await callWith(asking(roots), 'legacy')
  const { extensions, ...rest } = world.connections[0]?.events.capabilities ?? {}
  expect(rest).toEqual({ elicitation: { form: {} } })
})

test('asks of an entry are its own', async () => {
  const file = { mcpServers: { a: { command: 'x', asks: ['url'] } } }
  expect((await readConfig(JSON.stringify(file), {})).servers[0]).toMatchObject({ asks: ['url'] })
  const wrong = { mcpServers: { a: { command: 'x', asks: ['elicitation'] } } }
  await expect(readConfig(JSON.stringify(wrong), {})).rejects.toThrow('"form" or "url"')
})

test.each([
  ['a list', [url]],
  ['a list within', { a: [url] }],
  ['a question without a method', { a: { params: url.params } }],
])('questions in %s are not passed on', async (_, inputRequests) => {
  const odd: FakeServer = {
    era: 'modern',
    tools: [{ name: 'x', run: () => ({ resultType: 'input_required', inputRequests }) as never }],
  }
  for (const era of ['legacy', 'modern'] as const) {
    const { shown, result } = await callWith(odd, era)
    expect(shown).toEqual([])
    expect(textOf(result)).toContain('asks in a form that cannot be read')
  }
})

test.each([
  ['a page by another case of its mode', { ...url, params: { ...url.params, mode: 'Url' } }],
  ['what is no page', { ...url, params: { ...url.params, url: 'javascript:alert(1)' } }],
  ['a method of another kind', { method: 'foo/bar' }],
])('%s is not asked for', async (what, question) => {
  expect((await callWith(asking(question), 'legacy', ['form', 'url'])).shown).toHaveLength(
    what.startsWith('a page') ? 1 : 0,
  )
  expect((await callWith(asking(question), 'legacy', ['form'])).shown).toEqual([])
})
