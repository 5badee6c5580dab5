import { expect } from 'vitest'
import type { Link } from '../rig/link.ts'
import { until } from '../rig/spy-log.ts'
import { answerOf, type Bag } from '../rig/wire.ts'

export async function promptsAreListedAndGot({ list, request, spy, promptName }: Link) {
  const listed = await list('prompts/list', 'prompts')
  const sent = spy.lastList('prompts')
  expect(sent.length).toBeGreaterThanOrEqual(3)
  expect(listed).toEqual(
    sent.map((prompt) => ({ ...prompt, name: promptName(`${prompt['name']}`) })),
  )
  const requested = [
    { name: 'greet', arguments: { who: 'Ada', style: 'loudly' } },
    { name: 'with_resource' },
  ]
  for (const { name, ...rest } of requested) {
    const result = await request('prompts/get', { name: promptName(name), ...rest })
    expect(answerOf(result)).toEqual(answerOf(spy.lastAnswer('prompts/get')?.result))
    expect(result['messages']).not.toEqual([])
  }
}

export async function resourcesAreListedAndRead({ list, request, spy }: Link) {
  expect(await list('resources/list', 'resources')).toEqual(spy.lastList('resources'))
  const templates = await list('resources/templates/list', 'resourceTemplates')
  expect(templates).toEqual(spy.lastList('resourceTemplates'))
  expect(templates).toHaveLength(2)
  for (const uri of ['spy://text', 'spy://blob', 'spy://item/7']) {
    const result = await request('resources/read', { uri })
    expect(answerOf(result)).toEqual(answerOf(spy.lastAnswer('resources/read')?.result))
    expect(result['contents']).toMatchObject([{ uri }])
  }
}

export async function missingResourceIsTold({ request, era }: Link) {
  const uri = 'spy://item/none'
  const code = era === 'legacy' ? expect.toBeOneOf([-32002, -32602]) : -32602
  await expect(request('resources/read', { uri })).rejects.toMatchObject({
    error: { code, message: 'Resource not found', data: { uri } },
  })
}

/** A page left out, or one item of it twice, would show in any of the lists. */
export async function pagedListsAreWhole({ list, spy, promptName, at }: Link) {
  const sorted = (items: Bag[], key: string) => items.map((item) => `${item[key]}`).sort()
  const prompts = spy.lastList('prompts').map(({ name }) => ({ name: promptName(`${name}`) }))
  const uris = sorted(spy.lastList('resources'), 'uri')
  expect(sorted(await list('prompts/list', 'prompts'), 'name')).toEqual(sorted(prompts, 'name'))
  expect(sorted(await list('resources/list', 'resources'), 'uri')).toEqual(uris)
  if (at.way === 'call') return
  const titles = sorted(await list('tools/list', 'tools'), 'title')
  const spies = titles.filter((title) => title.startsWith('Spy: '))
  expect(spies).toEqual(sorted(spy.lastList('tools'), 'title'))
}

export async function completionIsAsked({ request, spy, promptName }: Link) {
  const context = { arguments: { style: 'loudly' } }
  const argument = { name: 'who', value: 'A' }
  const refs = [
    { type: 'ref/prompt', name: promptName('greet') },
    { type: 'ref/resource', uri: 'spy://item/{id}' },
  ]
  const requested = ['ref/prompt greet who', 'ref/resource spy://item/{id} who']
  for (const [index, ref] of refs.entries()) {
    const result = await request('completion/complete', { ref, argument, context })
    expect(answerOf(result)).toEqual(answerOf(spy.lastAnswer('completion/complete')?.result))
    expect(result['completion']).toEqual({
      values: ['A!', requested[index], JSON.stringify(context)],
      total: 17,
      hasMore: true,
    })
  }
}

export async function subscriberHearsOfUpdates({ callTool, watch, wire }: Link) {
  const uri = 'spy://watched'
  const updates = (from: number) =>
    wire.received
      .slice(from)
      .filter(({ method }) => method === 'notifications/resources/updated')
      .map(({ params }) => params?.['uri'])
  const update = async (what: string, tell = true) =>
    (await callTool('updates_resource', { uri: what, tell }))['structuredContent']

  const before = wire.received.length
  const stop = await watch(uri)
  expect(await update('spy://text')).toEqual({ subscribers: 0 })
  expect(await update(uri)).toEqual({ subscribers: 1 })
  await until(() => expect(updates(before)).toEqual([uri]))
  await stop()
  await until(async () => expect(await update(uri, false)).toEqual({ subscribers: 0 }))
  const after = wire.received.length
  await update(uri)
  expect(updates(after)).toEqual([])
}

async function changeIsHeard(link: Link, tool: string, args: Bag, kind: string) {
  const before = link.wire.received.length
  await link.callTool(tool, args)
  await until(() => {
    const methods = link.wire.received.slice(before).map(({ method }) => method)
    expect(methods).toContain(`notifications/${kind}/list_changed`)
  })
  return await link.list(`${kind}/list`, kind)
}

export async function addedToolIsHeardOf(link: Link) {
  const tools = await changeIsHeard(link, 'adds_tool', { name: 'added' }, 'tools')
  expect(tools.map(({ title }) => title)).toContain('Spy: added')
}

export async function addedToolIsCallable({ callTool }: Link) {
  await callTool('adds_tool', { name: 'added_later' })
  await until(async () => {
    const result = await callTool('added_later')
    expect(result['content']).toEqual([{ type: 'text', text: 'added_later, added later' }])
  })
}

export async function changedPromptsAreHeardOf(link: Link) {
  const prompts = await changeIsHeard(link, 'changes_prompts', { name: 'added' }, 'prompts')
  expect(prompts.map(({ name }) => name)).toContain(link.promptName('added'))
}

export async function changedResourcesAreHeardOf(link: Link) {
  const args = { uri: 'spy://added' }
  const resources = await changeIsHeard(link, 'changes_resources', args, 'resources')
  expect(resources.map(({ uri }) => uri)).toContain('spy://added')
}
