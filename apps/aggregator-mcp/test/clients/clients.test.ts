import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { JournalLine } from '@pith-mcp/aggregator'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../../../packages/base/test/temporary-folder.ts'
import { listClients } from '../../src/operations/clients.ts'
import { owner, serveHere } from '../open/serve-here.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as they come
type Json = Record<string, any>

let home = ''
beforeEach(() => {
  home = temporaryFolder(onTestFinished)
  vi.stubEnv('HOME', home)
  for (const name of ['XDG_CONFIG_HOME', 'CLAUDE_CONFIG_DIR', 'CODEX_HOME']) vi.stubEnv(name, '')
})
afterEach(() => vi.unstubAllEnvs())

const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), text)
}
const read = (path: string): string => readFileSync(join(home, path), 'utf8')

async function open() {
  const served = await serveHere({ aggregator: { profiles: { lean: {} } } })
  const ask = async (method: string, path: string, body?: object, token = owner) => {
    const response = await fetch(`${served.origin}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(method !== 'GET' && { body: JSON.stringify(body ?? {}) }),
    })
    return { status: response.status, answer: (await response.json()) as Json }
  }
  const clientCalled = async (name: string): Promise<Json> =>
    (await ask('GET', '/clients')).answer['clients'].find((client: Json) => client['name'] === name)
  return { ...served, ask, clientCalled }
}

const files = {
  cursor: [
    '.cursor/mcp.json',
    '\uFEFF{\r\n\t// mine\r\n\t"mcpServers": { "a": { "env": { "KEY": "hunter2-of-cursor" } }, },\r\n}',
  ],
  codex: ['.codex/config.toml', '# mine\nkey = "hunter2-of-codex"\n[mcp_servers.a]\ncommand="x"'],
} as const

test.each(Object.entries(files))(
  '%s is connected and disconnected, and its file is what it was',
  async (name, [path, text]) => {
    put(path, text)
    const { ask, clientCalled, folder } = await open()
    expect(await clientCalled(name)).toMatchObject({ isInstalled: true, entries: [] })
    const body = { entry: 'own', mode: 'list', profile: 'lean' }
    const preview = await ask('POST', `/clients/${name}/preview`, body)
    expect(preview.answer).toMatchObject({ file: join(home, path), change: 'printed' })
    expect(read(path)).toBe(text)
    const connected = await ask('POST', `/clients/${name}/connect`, body)
    expect(connected.answer).toEqual({ ...preview.answer, change: 'added' })
    expect(JSON.stringify([preview, connected])).not.toContain('hunter2')
    const config = join(folder, 'aggregator.json')
    const entries = [{ name: 'own', options: [config, 'profile lean', 'mode list'] }]
    expect(await clientCalled(name)).toMatchObject({ entries })
    for (const word of [config, 'lean', join(folder, 'state')]) expect(read(path)).toContain(word)
    const again = await ask('POST', `/clients/${name}/connect`, body)
    expect(again.answer['change']).toBe('there')
    const removed = await ask('DELETE', `/clients/${name}?entry=own`)
    expect(removed.answer['text']).toContain('removed own')
    expect(read(path)).toBe(text)
    expect(readdirSync(dirname(join(home, path)))).toHaveLength(1)
    const { lines } = (await ask('GET', '/journal?kind=admin')).answer
    expect(lines.map(({ tool, outcome }: JournalLine) => `${tool} ${outcome}`)).toEqual([
      `remove ${name} ok`,
      `add ${name} ok`,
      `add ${name} ok`,
    ])
  },
)

test('what cannot be done is refused with the reason, and changes nothing', async () => {
  put('.cursor/mcp.json', '{"mcpServers":{"pith":{"command":"another"}}}')
  put('.kiro/settings/mcp.json', '{"mcpServers":')
  const { ask, clientCalled } = await open()
  const refusal = async (...request: Parameters<typeof ask>) => {
    const { status, answer } = await ask(...request)
    return `${status} ${answer['title']}`
  }
  expect(await refusal('POST', '/clients/cursor/connect')).toMatch(
    /^409 .*another server named pith/,
  )
  expect(await refusal('DELETE', '/clients/cursor')).toMatch(/^400 .*pith in .* is another server/)
  expect(await refusal('POST', '/clients/emacs/connect')).toMatch(/^404 There is no client "emacs"/)
  expect(await refusal('POST', '/clients/zed/preview', { entry: 'a b' })).toMatch(
    /^409 The name a b/,
  )
  expect(await refusal('POST', '/clients/zed/preview', { profile: 'x' })).toMatch(/^404 .*profile/)
  expect(await refusal('POST', '/clients/kiro/connect')).toMatch(/^409 .*was not changed/)
  expect((await clientCalled('kiro'))['problem']).toBeTruthy()
  expect(read('.cursor/mcp.json')).toBe('{"mcpServers":{"pith":{"command":"another"}}}')
  const { answer } = await ask('POST', '/tokens', {
    name: 'c',
    scopes: ['console:read', 'console'],
  })
  const token = answer['token']
  expect(await refusal('POST', '/clients/zed/connect', {}, token)).toMatch(/^403 .*console:admin/)
  expect((await ask('POST', '/clients/zed/preview', {}, token)).status).toBe(200)
})

test('replicas have no clients on their computers', () => {
  const context = { state: { engines: { shared: {} } } } as never
  return expect(listClients.run({}, context, {} as never)).rejects.toThrow('on other computers')
})
