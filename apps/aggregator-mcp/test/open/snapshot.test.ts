import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { withState } from '../../src/open/open-state.ts'
import { changeOf, snapshotOf } from '../../src/open/record-admin.ts'

const folder = mkdtempSync(join(tmpdir(), 'pith-snapshot-'))

test('a change names what is safe, hides the rest, and is bounded', async () => {
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const config = join(folder, 'mcp.json')
  const engines = { databaseUrl: undefined, redisUrl: undefined, clusterKey: undefined }
  const snapshot = () =>
    withState(
      { ...engines, state: folder },
      false,
      () => {},
      (state) => snapshotOf({ config: [config] }, state),
    )
  const of = (mcpServers: object, aggregator: object = {}) => {
    writeFileSync(config, JSON.stringify({ mcpServers, aggregator }))
    return snapshot()
  }
  const before = await of({ a: { command: 'npx', args: ['--key', 's3cret'] } })
  const after = await of(
    {
      a: { command: 'node', args: ['--key', 's3cret2'], env: { KEY: 's3cret', profile: 's3cret' } },
      b: { url: 'https://u:s3cret@host.example/mcp?key=s3cret', headers: { X: 's3cret' } },
    },
    { callers: { ci: { token: 's3cret-token', profile: 'narrow' } }, limits: { sessionTokens: 5 } },
  )
  expect(JSON.parse(changeOf(before, after) ?? '')).toEqual({
    'mcpServers.a.command': ['npx', 'node'],
    'mcpServers.a.args': ['…', '…'],
    'mcpServers.a.env.KEY': [null, '…'],
    'mcpServers.a.env.profile': [null, '…'],
    'mcpServers.b.url': [null, 'https://host.example'],
    'mcpServers.b.headers.X': [null, '…'],
    aggregator: [{}, null],
    'aggregator.callers.ci.token': [null, '…'],
    'aggregator.callers.ci.profile': [null, 'narrow'],
    'aggregator.limits.sessionTokens': [null, 5],
  })
  expect(changeOf(after, after)).toBeUndefined()
  const createdAt = '2026-11-01T00:00:00Z'
  const token = {
    id: 't1',
    name: 'ci',
    scopes: ['mcp'],
    hash: 'a'.repeat(64),
    createdAt,
    lastUsedAt: createdAt,
  }
  writeFileSync(join(folder, 'tokens.json'), JSON.stringify({ tokens: [token] }))
  const minted = changeOf(after, await snapshot()) ?? ''
  expect(JSON.parse(minted)).toEqual({
    'tokens.t1.name': [null, 'ci'],
    'tokens.t1.scopes': [null, ['mcp']],
    'tokens.t1.createdAt': [null, createdAt],
  })
  const many = await of(
    Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`s${n}`, { command: 'x' }])),
  )
  const long = changeOf(new Map(), many) ?? ''
  expect(long.length).toBeLessThanOrEqual(2_000)
  expect((JSON.parse(long) as { '…': number })['…']).toBeGreaterThan(200)
})
