import type { JournalLine } from '@pith-mcp/aggregator'
import { answerOperations, basePath, openApi } from '@pith-mcp/console/server'
import { expect, test } from 'vitest'
import { apiOf } from '../../src/operations/api-of.ts'

/** A body for each operation that validates one. */
const bodies: Record<string, object> = {
  '/servers': { name: 'a', entry: { command: 'x' } },
  '/servers/{name}': { enabled: false },
  '/registry/add': { name: 'a', server: 'com.acme/a', choice: 0 },
  '/registry/plan': { name: 'a', server: 'com.acme/a', choice: 0 },
  '/pins/approve': { server: 'a', tools: [{ tool: 'x', hash: '0'.repeat(64) }] },
  '/pins/reset': { server: 'a' },
  '/approvals/{id}': { answer: 'kept' },
  '/tokens': { name: 'ci' },
  '/tools/search': { query: 'x' },
  '/permissions/preview': { permissions: {} },
  '/config/edit': { edits: [{ path: ['mcpServers', 'a', 'tags'] }] },
  '/config/preview': { edits: [{ path: ['mcpServers', 'a', 'tags'] }] },
  '/tools/call': { server: 'a', name: 'x', arguments: {} },
  '/items/get': { kind: 'prompt', name: 'x' },
}

/** What the journal says of each: the command that does the same. */
const names: Record<string, string> = {
  'POST /servers': 'add a',
  'DELETE /servers/{name}': 'remove a',
  'PATCH /servers/{name}': 'disable a',
  'POST /registry/add': 'registry add com.acme/a --as a',
  'POST /servers/{unit}/start': 'start a',
  'POST /servers/{unit}/stop': 'stop a',
  'POST /servers/{unit}/restart': 'restart a',
  'POST /servers/{unit}/check': 'doctor a',
  'POST /servers/{unit}/sign-in': 'login a',
  'DELETE /servers/{unit}/sign-in': 'logout a',
  'POST /pins/approve': 'pin approve a',
  'POST /pins/reset': 'pin reset a',
  'POST /approvals/{id}': 'approvals approve a --keep',
  'DELETE /approvals/{id}': 'approvals revoke a',
  'POST /tokens': 'token create ci',
  'POST /tokens/{id}/rotate': 'token rotate a',
  'DELETE /tokens/{id}': 'token revoke a',
  'POST /receipt': 'stats --lists',
  'POST /clients/{name}/connect': 'add a',
  'DELETE /clients/{name}': 'remove a',
  'POST /config/edit': 'config unset mcpServers.a.tags',
  'POST /config/undo': 'config undo',
}

/** These change nothing, or write a line of another kind. */
const others = [
  'POST /registry/plan',
  'POST /items/get',
  'POST /tools/call',
  'POST /tools/search',
  'POST /config/preview',
  'POST /permissions/preview',
  'POST /items/get',
  'POST /clients/{name}/preview',
]

const changing = Object.entries(
  openApi(apiOf({} as never))['paths'] as Record<string, object>,
).flatMap(([path, methods]) =>
  Object.keys(methods)
    .filter((method) => method !== 'get')
    .map((method) => ({ method: method.toUpperCase(), path: path.slice(basePath.length) }))
    // Not an operation: its route signs in and out.
    .filter((one) => one.path !== '/session'),
)

async function linesOf({ method, path }: (typeof changing)[number], isBroken = false) {
  const lines: JournalLine[] = []
  const check = () => {
    if (isBroken) throw new Error('unwritable')
  }
  const context = {
    journal: { write: (line: JournalLine) => void lines.push(line), check },
    settings: { config: [], state: false },
    state: { tokens: undefined, pins: { all: () => [] } },
    aggregator: { deps: { recording: { redact: (text: string) => text } } },
  }
  const url = `${basePath}${path.replace(/\{\w+\}/g, 'a')}`
  const body = JSON.stringify(bodies[path] ?? {})
  const principal = { kind: 'token', name: 'ci', id: '7', scopes: new Set() }
  const signal = AbortSignal.abort()
  const { answer } = answerOperations(apiOf(context as never))
  await answer({ method, url, body, principal, signal } as never).catch((error: Error) => {
    // The context is too small to do anything.
    expect(error.message).not.toMatch(/^body|^path/)
  })
  return lines
}

test('each operation that changes something writes a line, whoever adds it', async () => {
  expect(changing.length).toBeGreaterThan(12)
  for (const one of changing) {
    const named = `${one.method} ${one.path}`
    const lines = await linesOf(one)
    const [by] = lines.map(({ kind, caller, via, tool }) => ({ kind, caller, via, tool }))
    const tool = names[named]
    const wanted = { kind: 'admin', caller: 'token:ci#7', via: 'api', tool }
    expect([named, by]).toEqual([named, others.includes(named) ? undefined : wanted])
  }
})

test('a change is refused while lines are missing and cannot be written', async () => {
  expect(await linesOf({ method: 'POST', path: '/tokens' }, true)).toEqual([])
})
