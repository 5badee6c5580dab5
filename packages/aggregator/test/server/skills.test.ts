import { expect, test } from 'vitest'
import type { JsonObject } from '../../../servers/src/protocol/message.ts'
import { createMemoryPinStore } from '../../src/catalog/trust/pin.ts'
import type { FakeServer } from '../fake-servers.ts'
import { openAsked } from '../open-asked.ts'

const uri = 'skill://team/refunds/SKILL.md'
const file = 'skill://team/refunds/references/policy.md'

function skillEntry(digest: string): JsonObject {
  return {
    uri,
    frontmatter: { name: 'refunds', description: 'How refunds are made.', license: 'MIT' },
    resources: [
      { uri, digest: `sha256:${digest}` },
      { uri: file, digest: 'sha256:b' },
    ],
  }
}

/** A server with one skill, of which `list` says what it lists. */
function withSkill(list: () => JsonObject[], declared = true): FakeServer {
  return {
    ...(declared && { capabilities: { extensions: { 'io.modelcontextprotocol/skills': {} } } }),
    resources: [{ uri, name: 'refunds' }],
    answer({ method, params }) {
      if (method === 'skills/list') return { skills: list() }
      if (method === 'skills/get') return { skill: { ...skillEntry('a'), uri: params?.['uri'] } }
      if (method === 'resources/directory/read')
        return { resources: [{ uri: file, name: 'policy.md' }] }
      return { contents: [{ uri: params?.['uri'], text: 'the policy' }] }
    },
  }
}

const listed = (server: string, digest = 'a') => ({
  ...skillEntry(digest),
  uri: `skill://${server}/team/refunds/SKILL.md`,
  resources: [
    { uri: `skill://${server}/team/refunds/SKILL.md`, digest: `sha256:${digest}` },
    { uri: `skill://${server}/team/refunds/references/policy.md`, digest: 'sha256:b' },
  ],
})

test('skills of all servers that declare them are listed, each under its server', async () => {
  const list = () => [skillEntry('a')]
  const { ask } = openAsked({ a: withSkill(list), b: withSkill(list), c: withSkill(list, false) })
  expect(await ask('skills/list')).toEqual({ skills: [listed('a'), listed('b')] })
})

test('files of a skill are read from its server, listed or not', async () => {
  const { ask, world } = openAsked({
    a: withSkill(() => []),
    b: withSkill(() => [skillEntry('a')]),
  })
  await ask('skills/list')
  const asked = 'skill://a/team/refunds/references/policy.md'
  expect(await ask('resources/read', { uri: asked })).toEqual({
    contents: [{ uri: asked, text: 'the policy' }],
  })
  expect(await ask('skills/get', { uri: 'skill://a/team/refunds/SKILL.md' })).toEqual({
    skill: listed('a'),
  })
  expect(
    await ask('resources/directory/read', { uri: 'skill://b/team/refunds/references' }),
  ).toEqual({
    resources: [{ uri: 'skill://b/team/refunds/references/policy.md', name: 'policy.md' }],
  })
  const { server, message } = world.requests.at(-1) ?? {}
  expect([server, message?.params?.['uri']]).toEqual(['b', 'skill://team/refunds/references'])
})

test('a skill of no server in the profile does not exist', async () => {
  const { ask } = openAsked({ a: withSkill(() => [skillEntry('a')]) })
  await expect(ask('skills/get', { uri: 'skill://z/team/refunds/SKILL.md' })).rejects.toMatchObject(
    {
      code: -32602,
    },
  )
})

test('a changed skill is held until it is approved, like a tool', async () => {
  const pinStore = createMemoryPinStore()
  const first = openAsked({ a: withSkill(() => [skillEntry('a')]) }, { pinStore })
  expect(await first.ask('skills/list')).toEqual({ skills: [listed('a')] })
  const second = openAsked({ a: withSkill(() => [skillEntry('changed')]) }, { pinStore })
  expect(await second.ask('skills/list')).toEqual({ skills: [] })
  expect(second.logs).toEqual([expect.stringContaining('changed since it was pinned')])
  const held = second.ask('skills/get', { uri: 'skill://a/team/refunds/SKILL.md' })
  await expect(held).rejects.toMatchObject({ code: -32602 })
})

test('without prefixes, the URIs stay as the server has them', async () => {
  const { ask } = openAsked({ a: withSkill(() => [skillEntry('a')]) }, { prefix: false })
  expect(await ask('skills/list')).toEqual({ skills: [skillEntry('a')] })
  expect(await ask('skills/get', { uri })).toEqual({ skill: skillEntry('a') })
})
