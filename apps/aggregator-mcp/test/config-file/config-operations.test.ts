import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JournalLine } from '@pith-mcp/aggregator'
import { allScopes, type Scope } from '@pith-mcp/server-kit'
import { expect, test } from 'vitest'
import { createSeal } from '../../../../packages/servers/src/secrets/seal.ts'
import { configOperations } from '../../src/operations/config.ts'
import { historyOperations } from '../../src/operations/config-history.ts'
import { scopeOfEdits } from '../../src/operations/edit-scope.ts'
import { perform } from '../../src/operations/perform.ts'
import { createSecretStore } from '../../src/secrets/secret-store.ts'

const text = `{
  // ours
  "mcpServers": {
    "notes": { "command": "node", "env": { "TOKEN": "s3cret-value" } }
  },
  "aggregator": { "limits": { "caller": { "calls": 5, "seconds": 1 } } }
}
`

/** A configuration in a file of its own, and a stand-in for the keychain of the system. */
function openConfig({
  content = text,
  scopes = allScopes as readonly Scope[],
  shared = false,
} = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'pith-config-'))
  const file = join(folder, 'mcp.json')
  writeFileSync(file, content, { mode: 0o640 })
  const lines: JournalLine[] = []
  const stored = new Map<string, string>()
  const context = {
    settings: { config: [file], state: folder },
    state: {
      tokens: undefined,
      pins: { all: () => [] },
      engines: { shared: shared ? {} : undefined },
      seal: createSeal({ state: folder, files: () => [], onLog() {} }),
    },
    journal: { write: (line: JournalLine) => void lines.push(line) },
    secrets: createSecretStore(
      {
        get: async () => undefined,
        set: async (service, account, value) => void stored.set(`${service}/${account}`, value),
      },
      folder,
    ),
    changed() {},
  }
  const principal = { kind: 'session', scopes: new Set(scopes) }
  const run = (path: string, body?: object): Promise<Record<string, unknown>> => {
    const found = [...configOperations, ...historyOperations].find((one) => one.path === path)
    if (found === undefined) throw new Error(path)
    return perform(
      found as never,
      { body: body ?? {} },
      context as never,
      {
        caller: 'owner',
        via: 'console',
        principal,
      } as never,
    )
  }
  const edit = (path: string[], value?: unknown, more: object = {}) =>
    run('/config/edit', { edits: [{ path, ...(value !== undefined && { value }), ...more }] })
  return { file, folder, lines, stored, context, run, edit, read: () => readFileSync(file, 'utf8') }
}

const token = ['mcpServers', 'notes', 'env', 'TOKEN']

test('a value is set in place, recorded without it, and undone', async () => {
  const { edit, run, read, lines, file } = openConfig()
  await edit(token, 'other-secret')
  expect(read()).toBe(text.replace('s3cret-value', 'other-secret'))
  expect(statSync(file).mode & 0o777).toBe(0o640)
  expect(lines).toMatchObject([
    {
      kind: 'admin',
      tool: 'config set mcpServers.notes.env.TOKEN',
      caller: 'owner',
      outcome: 'ok',
    },
  ])
  expect(JSON.stringify(lines)).not.toContain('secret')
  const { edits } = (await run('/config/edits')) as { edits: { what: string; by: string }[] }
  expect(edits).toMatchObject([{ what: 'config set mcpServers.notes.env.TOKEN', by: 'owner' }])
  expect(JSON.stringify(edits)).not.toContain('secret')
  // A secret that was replaced is not kept.
  await expect(run('/config/undo')).rejects.toThrow('removed a secret, which is not kept')
  await edit(['mcpServers', 'notes', 'env', 'FOLDER'], '/srv/notes')
  const before = read()
  await edit(['mcpServers', 'notes', 'env', 'FOLDER'], '/srv/other')
  await run('/config/undo')
  expect(read()).toBe(before)
})

test('nothing is undone or overwritten that changed meanwhile', async () => {
  const { edit, run, read, file } = openConfig()
  const { files } = (await run('/config')) as { files: { version: string }[] }
  await edit(token, 'a-new-value')
  await expect(
    run('/config/edit', {
      edits: [{ path: token, value: 'later' }],
      version: files[0]?.version,
    }),
  ).rejects.toThrow('has changed since it was read')
  writeFileSync(file, `${read()}\n`)
  await expect(run('/config/undo')).rejects.toThrow('has changed since, by hand')
  expect(read()).toContain('a-new-value')
})

test('what is not a valid configuration is not written, and says where', async () => {
  const { edit, read } = openConfig()
  await expect(edit(['mcpServers', 'notes', 'idleMinute'], 3)).rejects.toThrow(
    'The most similar key is idleMinutes',
  )
  await expect(edit(['aggregator', 'limits', 'caller', 'calls'], 0)).rejects.toThrow(
    'aggregator.limits.caller.calls must be more than 0',
  )
  await expect(edit(['mcpServers', 'notes', 'command'])).rejects.toThrow('a command or a url')
  expect(read()).toBe(text)
})

test('a secret goes to the keychain, and its reference into the file', async () => {
  const { edit, read, stored, run } = openConfig()
  const shown = await run('/config/preview', {
    edits: [{ path: token, value: 'typed-secret', isSecret: true }],
  })
  expect(stored.size).toBe(0)
  expect(JSON.stringify(shown)).not.toContain('typed-secret')
  expect(shown['diff']).toContain(
    '+     "notes": { "command": "node", "env": { "TOKEN": "${keychain:pith/notes.env.TOKEN}" } }',
  )
  await edit(token, 'typed-secret', { isSecret: true })
  expect(stored).toEqual(new Map([['pith/notes.env.TOKEN', 'typed-secret']]))
  expect(read()).toBe(text.replace('s3cret-value', '${keychain:pith/notes.env.TOKEN}'))
  // What is refused stores nothing.
  await expect(edit(['mcpServers', 'notes', 'x'], 'y', { isSecret: true })).rejects.toThrow()
  expect(stored.size).toBe(1)
})

test('the answers never have a secret, also of a change that is only shown', async () => {
  const { run, edit } = openConfig()
  const shown = await run('/config/preview', { edits: [{ path: token, value: 'typed-secret' }] })
  expect(shown).toMatchObject({ inClear: [token], scope: 'console:admin' })
  const all = JSON.stringify([await run('/config'), shown])
  expect(all).not.toMatch(/s3cret-value|typed-secret/)
  expect(all).toContain('•••••• (new)')
  await expect(edit(token, '••••••x')).rejects.toThrow('Enter the whole value')
})

test('what is started, who may enter and what is trusted needs a scope of its own', async () => {
  const admin = [
    [
      ['mcpServers', 'new'],
      ['mcpServers', 'a', 'command'],
      ['mcpServers', 'a', 'env', 'X'],
    ],
    [
      ['mcpServers', 'a', 'url'],
      ['mcpServers', 'a', 'sandbox'],
      ['mcpServers', 'a', 'pin'],
    ],
    [
      ['mcpServers', 'a', 'accounts', 'b', 'args'],
      ['mcpServers', 'a', 'oauth', 'issuer'],
    ],
    [
      ['aggregator', 'callers', 'x'],
      ['aggregator', 'trust', 'new'],
      ['aggregator', 'oauth'],
    ],
    [
      ['aggregator', 'permissions'],
      ['aggregator', 'permissions', 'ask'],
      ['mcpServers', 'a', 'annotations'],
      ['mcpServers', 'a', 'results'],
      ['mcpServers', 'a', 'rules'],
    ],
    [
      ['aggregator', 'limits', 'redis'],
      ['aggregator', 'journal'],
    ],
  ].flat()
  const open = [
    [
      ['mcpServers', 'a', 'description'],
      ['mcpServers', 'a', 'tools', 't', 'enabled'],
    ],
    [
      ['mcpServers', 'a', 'deny'],
      ['mcpServers', 'a', 'rate', 'calls'],
    ],
    [
      ['aggregator', 'profiles', 'p', 'deny'],
      ['aggregator', 'limits', 'caller', 'calls'],
    ],
  ].flat()
  const scopeOf = (...paths: string[][]) => scopeOfEdits(paths, '{}', '{}')
  for (const path of admin) expect([path, scopeOf(path)]).toEqual([path, 'console:admin'])
  for (const path of open) expect([path, scopeOf(path)]).toEqual([path, 'console'])
  expect(scopeOf(...open, admin[0] ?? [])).toBe('console:admin')

  const { edit, read, run, lines, context } = openConfig({ scopes: ['console:read', 'console'] })
  await edit(['mcpServers', 'notes', 'description'], 'Notes')
  await expect(edit(token, 'x')).rejects.toThrow('requires the scope console:admin')
  expect(lines.at(-1)).toMatchObject({ outcome: 'scope', caller: 'owner' })
  expect(read()).toContain('s3cret-value')
  // A change of an administrator is not undone by others.
  const other = openConfig()
  await other.edit(token, 'y')
  Object.assign(context, { settings: other.context.settings, state: other.context.state })
  await expect(run('/config/undo')).rejects.toThrow('requires the scope console:admin')
})

test('a preview does not say whether a guess of a secret is right', async () => {
  const guesses = { right: 's3cret-value', wrong: 'an0ther-value' }
  const { run } = openConfig({ scopes: ['console:read', 'console'] })
  const shown = await Promise.all(
    Object.values(guesses).map((value) =>
      run('/config/preview', { edits: [{ path: token, value }] }),
    ),
  )
  expect(shown[0]?.['diff']).toEqual(shown[1]?.['diff'])
})

/** Changes of a member, and whether they permit no more than before. */
const narrowings: readonly [path: string, before: unknown, after: unknown, isNarrower: boolean][] =
  [
    ['mcpServers.a.deny', ['wipe'], ['wipe', 'drop'], true],
    ['mcpServers.a.deny', ['wipe'], [], false],
    ['mcpServers.a.deny', ['wipe'], undefined, false],
    ['mcpServers.a.allow', undefined, ['read'], true],
    ['mcpServers.a.allow', ['read', 'list'], ['list'], true],
    ['mcpServers.a.allow', ['read'], ['read', 'write'], false],
    ['mcpServers.a.allow', ['read'], undefined, false],
    ['mcpServers.a.readOnly', undefined, true, true],
    ['mcpServers.a.readOnly', true, undefined, false],
    ['mcpServers.a.enabled', undefined, false, true],
    ['mcpServers.a.enabled', false, true, false],
    ['mcpServers.a.disabled', true, undefined, false],
    ['mcpServers.a.tags', ['x', 'y'], ['x'], true],
    ['mcpServers.a.tags', ['x'], ['x', 'y'], false],
    ['mcpServers.a.asks', ['form', 'url'], ['form'], true],
    ['mcpServers.a.asks', ['form'], ['form', 'url'], false],
    ['mcpServers.a.tools.t.enabled', undefined, false, true],
    ['mcpServers.a.tools.t.enabled', false, undefined, false],
    ['mcpServers.a.tools.t', { enabled: false }, {}, false],
    ['mcpServers.a.tools.t.description', 'x', 'y', true],
    // One of all servers may be lower.
    ['mcpServers.a.rate', undefined, { calls: 5, seconds: 60 }, false],
    ['mcpServers.a.rate', { calls: 5, seconds: 60 }, { calls: 4, seconds: 90 }, true],
    ['mcpServers.a.asks', undefined, ['form', 'sampling'], false],
    ['mcpServers.a.maxInstances', 1, 1_000, false],
    ['mcpServers.a.maxInstances', 5, undefined, false],
    ['mcpServers.a.tools.t.name', undefined, 'read', false],
    ['mcpServers.a.tools.readOnly', { enabled: false }, {}, false],
    ['mcpServers.a.tools.deny.enabled', false, true, false],
    ['aggregator.profiles.readOnly', { readOnly: true }, {}, false],
    ['aggregator.profiles.deny', { deny: ['x'] }, { servers: ['*'] }, false],
    ['aggregator.profiles.disabled.readOnly', true, false, false],
    ['aggregator.profiles.ro.description', 'x', 'y', true],
    ['aggregator.limits', { caller: { calls: 5, seconds: 60 } }, {}, false],
    ['aggregator.limits.redis', undefined, 'redis://x', false],
    ['mcpServers.a.rate.calls', 5, 6, false],
    ['mcpServers.a.rate.seconds', 60, 30, false],
    ['mcpServers.a.maxConcurrency', 4, 2, true],
    ['mcpServers.a.maxConcurrency', 4, undefined, false],
    ['mcpServers.a.description', 'x', undefined, true],
    ['aggregator.profiles.ro', { readOnly: true }, {}, false],
    ['aggregator.profiles.ro', { readOnly: true }, { readOnly: true, deny: ['x'] }, true],
    ['aggregator.profiles.ro', undefined, { readOnly: true }, false],
    ['aggregator.profiles.ro', { readOnly: true }, undefined, true],
    ['aggregator.profiles.ro.servers', ['a', 'b'], ['a'], true],
    ['aggregator.profiles.ro.servers', ['a'], undefined, false],
    ['aggregator.profiles.ro.accounts', undefined, { a: ['x'] }, false],
    ['aggregator.profiles', { ro: { readOnly: true } }, { ro: {} }, false],
    ['aggregator.limits.caller', { calls: 5, seconds: 60 }, undefined, false],
    ['aggregator.limits.caller.calls', 5, 4, true],
    ['aggregator.limits.sessionTokens', 5_000, 50_000, false],
  ]

test.each(narrowings)('%s from %j to %j restricts: %j', (path, before, after, isNarrower) => {
  const steps = path.split('.')
  const textOf = (value: unknown): string =>
    JSON.stringify(steps.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value))
  expect(scopeOfEdits([steps], textOf(before), textOf(after))).toBe(
    isNarrower ? 'console' : 'console:admin',
  )
})

test('an undo that permits more needs the scope, too', async () => {
  const { edit, run, context } = openConfig()
  await edit(['mcpServers', 'notes', 'deny'], ['wipe'])
  const other = openConfig({ scopes: ['console:read', 'console'] })
  Object.assign(other.context, { settings: context.settings, state: context.state })
  await expect(other.run('/config/undo')).rejects.toThrow('requires the scope console:admin')
  await run('/config/undo')
})

test('with replicas a change is shown as text, and not written', async () => {
  const { run, edit, read } = openConfig({ shared: true })
  const shown = await run('/config/preview', {
    edits: [{ path: ['mcpServers', 'notes', 'tags'], value: ['x'] }],
  })
  expect(shown['readOnlyReason']).toContain('deploy it to all replicas')
  expect(JSON.stringify(shown['diff'])).toContain('tags')
  await expect(edit(['mcpServers', 'notes', 'tags'], ['x'])).rejects.toThrow('deploy it')
  expect(read()).toBe(text)
})

test('of several files, the one that has the server is edited', async () => {
  const first = openConfig()
  const second = openConfig({ content: '{"servers": {"web": {"url": "https://example.com"}}}' })
  first.context.settings.config.push(second.file)
  await first.edit(['mcpServers', 'web', 'description'], 'Web')
  expect(second.read()).toContain('"description": "Web"')
  expect(first.read()).toBe(text)
  await expect(first.edit(['mcpServers', 'new'], { command: 'x' })).rejects.toThrow('several files')
})

test('a file that is not valid is named, not shown as empty', async () => {
  const { run, file } = openConfig({ content: '{"mcpServers": {' })
  await expect(run('/config')).rejects.toThrow(`${file}: it is not valid JSON`)
})
