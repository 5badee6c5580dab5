import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config/read-config.ts'
import type { StdioServer } from '../../src/config/server-config.ts'
import { lookUpSecrets, type SecretSources } from '../../src/secrets/secret-sources.ts'

const { signal } = new AbortController()

function sourcesOf(known: Record<string, string>) {
  const asked: string[] = []
  const source = async (name: string): Promise<string> => {
    asked.push(name)
    const value = known[name]
    if (value === undefined) throw new Error('there is none')
    return value
  }
  const sources: SecretSources = { file: source, keychain: source, command: source }
  return { asked, sources }
}

async function lookUp(env: Record<string, string>, environment = {}, known = {}) {
  const text = JSON.stringify({ mcpServers: { a: { command: 'x', env } } })
  const { servers } = await readConfig(text, environment)
  const [server] = servers as StdioServer[]
  if (!server) throw new Error('no server')
  const { asked, sources } = sourcesOf(known)
  const { server: filled, values } = await lookUpSecrets(server, sources, signal)
  return { env: filled.env, values, asked }
}

test('a reference is looked up once, wherever it stands', async () => {
  const { env, values, asked } = await lookUp(
    { A: '${keychain:s/a}', B: 'Bearer ${keychain:s/a} and ${file:/x}' },
    {},
    { 's/a': 'one', '/x': 'two' },
  )
  expect(env).toEqual({ A: 'one', B: 'Bearer one and two' })
  expect(values.sort()).toEqual(['one', 'two'])
  expect(asked).toHaveLength(2)
})

describe('what only looks like a reference is never looked up', () => {
  test.each([
    ['that is escaped', { A: '$${command:rm}' }, {}, '${command:rm}'],
    ['in a value of the environment', { A: '${V}' }, { V: '${command:rm}' }, '${command:rm}'],
    ['in a default', { A: '${V:-x{command:rm}' }, {}, 'x{command:rm'],
    ['in pieces', { A: '${V}{command:rm}' }, { V: '$' }, '${command:rm}'],
    ['in what was looked up', { A: '${file:/x}' }, {}, '${command:rm}'],
  ])('%s', async (_what, env, environment, value) => {
    const looked = await lookUp(env, environment, { '/x': '${command:rm}' })
    expect(looked.asked).not.toContain('rm')
    expect(looked.env['A']).toContain(value)
  })

  test('with the mark of a reference in it: the server cannot be used', async () => {
    const text = JSON.stringify({
      mcpServers: { a: { command: 'x', env: { A: '\0command:rm\0' } } },
    })
    const { servers } = await readConfig(text, {})
    expect(servers[0]?.problem).toContain('the character U+0000')
  })
})

test('what cannot be looked up is said by its kind, and not by its name', async () => {
  await expect(lookUp({ A: '${file:/secret/place}' })).rejects.toThrow('there is none')
  await expect(lookUp({ A: '${file:/x}' }, {}, { '/x': '' })).rejects.toThrow('${file:…}')
})
