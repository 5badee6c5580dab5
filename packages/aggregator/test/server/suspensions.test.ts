import { describe, expect, test, vi } from 'vitest'
import type { Cancellable } from '../../../servers/src/protocol/cancellation.ts'
import type { JsonObject } from '../../../servers/src/protocol/message.ts'
import type { RequestContext } from '../../../servers/src/protocol/request-context.ts'
import { Suspensions } from '../../src/server/suspensions.ts'
import { createClient, text } from '../fake-servers.ts'

const first = { inputResponses: undefined, requestState: undefined }
const question = (message: string) => ({ method: 'elicitation/create', params: { message } })

function open(work: (context: RequestContext) => Promise<JsonObject>) {
  const suspensions = new Suspensions()
  const client = createClient({ era: 'modern' })
  const run = (retry: Partial<typeof first> & object = first, context = client.context()) =>
    suspensions.run(context, { subject: 'tools/call x', retry: { ...first, ...retry } }, work)
  return { run, client, suspensions }
}

const ask = (context: RequestContext, message: string) =>
  context.ask(question(message), context.signal)

test('work that asks nothing gives its result', async () => {
  const { run } = open(async () => text('done'))
  expect(await run()).toEqual(text('done'))
})

test('a question goes out as a result, and the answer to where it was asked', async () => {
  const { run } = open(async (context) => ({ got: await ask(context, 'who?') }))
  const asked = await run()
  expect(asked).toEqual({
    resultType: 'input_required',
    inputRequests: { ask1: question('who?') },
    requestState: expect.stringMatching(/^pith\./),
  })
  const requestState = asked['requestState'] as string
  expect(
    await run({ requestState, inputResponses: { ask1: { action: 'accept' } } } as never),
  ).toEqual({
    got: { action: 'accept' },
  })
})

test('questions asked together go out together, what is not answered is asked again', async () => {
  const { run } = open(async (context) => ({
    got: await Promise.all([ask(context, 'a'), ask(context, 'b')]),
  }))
  const asked = await run()
  expect(Object.keys(asked['inputRequests'] as JsonObject)).toEqual(['ask1', 'ask2'])
  const again = await run({
    requestState: asked['requestState'],
    inputResponses: { ask2: { n: 2 }, ask9: {}, ask1: null },
  } as never)
  expect(Object.keys(again['inputRequests'] as JsonObject)).toEqual(['ask1'])
  expect(again['requestState']).not.toBe(asked['requestState'])
  const result = await run({
    requestState: again['requestState'],
    inputResponses: { ask1: { n: 1 } },
  } as never)
  expect(result).toEqual({ got: [{ n: 1 }, { n: 2 }] })
})

describe('a state', () => {
  test('is good once, and not when it was changed', async () => {
    const { run } = open(async (context) => ({ got: await ask(context, 'a') }))
    const { requestState } = await run()
    await expect(run({ requestState: `${requestState}x` } as never)).rejects.toMatchObject({
      code: -32602,
    })
    await run({ requestState, inputResponses: { ask1: {} } } as never)
    await expect(run({ requestState, inputResponses: { ask1: {} } } as never)).rejects.toThrow(
      'Invalid or expired requestState',
    )
  })

  test('of a server behind us is not ours to judge', async () => {
    const work = vi.fn(async () => text('passed on'))
    const { run } = open(work)
    expect(await run({ requestState: 'theirs' } as never)).toEqual(text('passed on'))
  })
})

test('who gives up a later request ends the work', async () => {
  let signal: Cancellable | undefined
  const { run, client } = open(async (context) => {
    signal = context.signal
    await ask(context, 'a')
    return new Promise(() => {})
  })
  const { requestState } = await run()
  expect(signal?.aborted).toBe(false)
  const controller = new AbortController()
  const context = client.context({ signal: controller.signal })
  void run({ requestState, inputResponses: { ask1: {} } } as never, context)
  controller.abort(new Error('no longer'))
  await expect.poll(() => signal?.aborted).toBe(true)
})

test('what is told goes with the request that is open now', async () => {
  const { run, client } = open(async (context) => {
    await ask(context, 'a')
    context.notify({ method: 'notifications/progress' })
    return text('done')
  })
  const { requestState } = await run()
  const notify = vi.fn()
  await run({ requestState, inputResponses: { ask1: {} } } as never, client.context({ notify }))
  expect(notify).toHaveBeenCalledOnce()
})

test('when all ends, work that waits is ended', async () => {
  let signal: Cancellable | undefined
  const { run, suspensions } = open(async (context) => {
    signal = context.signal
    return { got: await ask(context, 'a') }
  })
  await run()
  suspensions.close()
  expect(signal?.aborted).toBe(true)
})
