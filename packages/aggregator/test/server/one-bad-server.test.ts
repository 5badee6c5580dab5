import { chmodSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { withLock } from '#base/replace-file'
import { createRedactor } from '../../../servers/src/secrets/redactor.ts'
import { configOf, type FakeServer, text } from '../fake-servers.ts'
import { openAggregator } from '../open-aggregator.ts'
import { pinStoreIn } from '../seal-beside.ts'

const good: FakeServer = { tools: [{ name: 'echo', run: () => text('well') }] }
const echo = { module: 'good', tool_name: 'echo', params: {} }

describe('one server does not stop the others', () => {
  test.each([
    ['a schema nested deep', { name: 'x', inputSchema: nested(3_000) }],
    ['a name without end', { name: 'a'.repeat(400_000) }],
    ['an invalid name', { name: '__proto__' }],
  ])('by %s', async (_what, definition) => {
    const evil: FakeServer = {
      tools: [{ name: definition.name, definition, run: () => text('called') }],
    }
    const { use } = openAggregator(
      { good, evil },
      { servers: [configOf('good'), configOf('evil')] },
    )
    const before = process.cpuUsage()
    expect(await use('search_tools', { query: 'echo' })).toContain('good.echo')
    expect(await use('call', echo)).toBe('well')
    expect(await use('call', { ...echo, module: 'evil', tool_name: definition.name })).not.toBe(
      'called',
    )
    expect(process.cpuUsage(before).user).toBeLessThan(3_000_000)
  })

  test('by an error that is hard to read', async () => {
    const run = () =>
      Promise.reject(Object.assign(new Error('eyJ-'.repeat(200_000)), { code: -32000 }))
    const evil: FakeServer = { tools: [{ name: 'x', run }] }
    const { use } = openAggregator(
      { good, evil },
      { servers: [configOf('good'), configOf('evil')] },
    )
    const before = process.cpuUsage()
    await use('batch', { commands: '{"module":"evil","tool_name":"x"}' })
    expect(await use('call', echo)).toBe('well')
    expect(process.cpuUsage(before).user).toBeLessThan(3_000_000)
  })

  test('by a result that is nested too deep to be measured', async () => {
    const evil: FakeServer = {
      tools: [{ name: 'x', run: () => ({ ...text('x'), structuredContent: nested(9_000) }) }],
    }
    const { use, lines } = openAggregator({ evil }, { servers: [configOf('evil')] })
    await use('call', { ...echo, module: 'evil', tool_name: 'x' }).catch(() => {})
    expect(lines).toHaveLength(1)
  })
})

describe('what is kept in files', () => {
  const folders: string[] = []
  const folder = (): string => {
    const path = mkdtempSync(join(tmpdir(), 'pith-files-'))
    folders.push(path)
    return path
  }
  afterEach(() => {
    for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true })
  })

  test('a lock from the future, or one that was left behind, holds nobody for long', () => {
    for (const shift of [3_600, -3_600]) {
      const path = join(folder(), 'x')
      writeFileSync(`${path}.lock`, '')
      const time = Date.now() / 1_000 + shift
      utimesSync(`${path}.lock`, time, time)
      expect(withLock(path, () => 'done')).toBe('done')
    }
  })

  test('pins that cannot be kept are told of once, and calls go on', async () => {
    const below = join(folder(), 'file')
    writeFileSync(below, '')
    chmodSync(below, 0o600)
    const { use, logs } = openAggregator(
      { good },
      { servers: [configOf('good')], pinStore: pinStoreIn(join(below, 'pins'), () => {}) },
    )
    expect(await use('search_tools', { query: 'echo' })).toContain('good.echo')
    expect(await use('call', echo)).toBe('well')
    expect(logs.filter((line) => line.includes('Pins cannot be stored'))).toHaveLength(1)
  })
})

test('a secret in what servers say of themselves is neither said nor kept', async () => {
  const token = 'token-4711-of-a-server'
  const description = `uses ${token}`
  const bad: FakeServer = {
    tools: [{ name: 'x', definition: { description, inputSchema: { default: token } } }],
    resources: [{ uri: 'x://1', name: description }],
  }
  const { use, aggregator } = openAggregator(
    { bad },
    { servers: [configOf('bad', { env: { BAD_TOKEN: token } } as never)] },
  )
  const said = [
    await use('search_tools', { query: 'uses token' }),
    await use('get_module_schema', { module: 'bad' }),
    await aggregator.request({ method: 'resources/list' }),
    aggregator.gateway.catalog.entryOf('bad'),
  ]
  expect(JSON.stringify(said)).toContain('[redacted]')
  expect(JSON.stringify(said)).not.toContain(token)
})

test('errors without a code of JSON-RPC hold no secret either', async () => {
  const token = 'token-4711-of-a-server'
  const bad: FakeServer = {
    tools: [
      {
        name: 'x',
        run: () =>
          Promise.reject(
            Object.assign(new Error(`got ${token}`), { code: 'HTTP', data: { token } }),
          ),
      },
    ],
  }
  const { aggregator } = openAggregator(
    { bad },
    { servers: [configOf('bad', { env: { BAD_TOKEN: token } } as never)], mode: 'full' },
  )
  const error = await aggregator
    .request({ method: 'tools/call', params: { name: 'bad__x', arguments: {} } })
    .catch((thrown: object) => ({ ...thrown, message: (thrown as Error).message }))
  expect(JSON.stringify(error)).not.toContain(token)
})

test.each([
  ['the author of a commit', { GIT_AUTHOR_NAME: 'Jane Doe the 2nd' }, 'Jane Doe the 2nd'],
  ['the name of a header', { API_KEY_HEADER: 'X-Authorization-2' }, 'X-Authorization-2'],
  ['a word', { SECRET: 'production' }, 'production'],
])('results keep what only sounds like a secret: %s', async (_what, env, value) => {
  const server: FakeServer = { tools: [{ name: 'x', run: () => text(value) }] }
  const { use } = openAggregator({ s: server }, { servers: [configOf('s', { env } as never)] })
  expect(await use('call', { module: 's', tool_name: 'x' })).toBe(value)
})

test.each([
  ['in an address', 'postgres://u:pa55-word@h/db', 'pa55-word'],
  ['in base64', 'Basic dXNlcjpwYTU1LXdvcmQ=', 'pa55-word'],
  ['as base64', 'hunter2-secret', Buffer.from('hunter2-secret').toString('base64')],
  ['in lower case codes', 'a/b+c=d/1', encodeURIComponent('a/b+c=d/1').toLowerCase()],
])('a secret is hidden where it stands %s', (_where, value, said) => {
  const secrets = createRedactor()
  secrets.learn([value])
  expect(secrets.redact(`x ${said} y`)).toBe('x [redacted] y')
})

function nested(depth: number): object {
  let value: object = { type: 'object' }
  for (let level = 0; level < depth; level++) value = { type: 'object', properties: { a: value } }
  return value
}
