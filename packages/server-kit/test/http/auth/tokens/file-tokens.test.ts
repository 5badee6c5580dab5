import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../../../base/test/temporary-folder.ts'
import { createAuthenticator, createFileTokens } from '../../../../src/index.ts'
import { openTestEndpoint, route } from '../../../knock.ts'

let folder: string
let path: string
let logged: string[]
beforeEach(() => {
  folder = temporaryFolder(onTestFinished)
  path = join(folder, 'state', 'tokens.json')
  logged = []
})

const open = (now?: () => number) =>
  createFileTokens({ path, onLog: (text) => logged.push(text), now })

/** Beyond the time for which a file is taken to be what it was. */
const aMoment = () => new Promise((resolve) => setTimeout(resolve, 1_100))

test('a token lets in who has it, with what was said of it', () => {
  const tokens = open()
  const { token, record } = tokens.create({ name: 'ci', profile: 'docs' })
  expect(token).toMatch(/^pith_[\w-]{43}$/)
  expect(tokens.find(token)).toMatchObject({ kind: 'token', name: 'ci', profile: 'docs' })
  expect(tokens.find(token)?.scopes).toEqual(new Set(['mcp']))
  expect(tokens.find(`${token}x`)).toBeUndefined()
  expect(tokens.list()).toEqual([record])
  expect(record).not.toHaveProperty('hash')
})

test('who may change may look', () => {
  const tokens = open()
  const { token } = tokens.create({ name: 'boss', scopes: ['console'] })
  expect(tokens.find(token)?.scopes).toEqual(new Set(['console', 'console:read']))
})

test('what is kept is no token, and for its owner only', () => {
  const { token } = open().create({ name: 'ci' })
  const text = readFileSync(path, 'utf8')
  expect(text).not.toContain(token.slice(5))
  expect(text).toMatch(/"hash": "[0-9a-f]{64}"/)
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('a token is over when it was to be', () => {
  let now = Date.now()
  const tokens = open(() => now)
  const { token } = tokens.create({ name: 'ci', expiresAt: now + 60_000 })
  expect(tokens.find(token)).toBeDefined()
  now += 60_001
  expect(() => tokens.find(token)).toThrow(
    expect.objectContaining({ reason: 'expired_token', status: 401, principal: 'token ci' }),
  )
  expect(() => tokens.create({ name: 'x', expiresAt: now })).toThrow(
    /expiry time must be in the future/,
  )
})

test('a token that one process revokes is refused by another within a second or so', async () => {
  const [one, other] = [open(), open()]
  const { token } = one.create({ name: 'ci' })
  expect(other.find(token)).toBeDefined()
  one.revoke('ci')
  await aMoment()
  expect(() => other.find(token)).toThrow(
    expect.objectContaining({ reason: 'revoked_token', principal: 'token ci' }),
  )
})

test('a name is of one token at a time, and comes free when that is revoked', () => {
  const tokens = open()
  const first = tokens.create({ name: 'ci' })
  expect(() => tokens.create({ name: 'ci' })).toThrow(
    expect.objectContaining({ code: 'name_taken' }),
  )
  tokens.revoke(first.record.id)
  const second = tokens.create({ name: 'ci' })
  expect(tokens.find(second.token)).toMatchObject({ id: second.record.id })
  expect(() => tokens.revoke('nobody')).toThrow(expect.objectContaining({ code: 'unknown_token' }))
})

test.each(['', 'a\nb', 'x'.repeat(61), 'a"b'])('%j is no name', (name) => {
  expect(() => open().create({ name })).toThrow(expect.objectContaining({ code: 'bad_token' }))
})

test('who came in last when is written down, for other processes too', () => {
  let now = Date.now()
  const tokens = open(() => now)
  const { token } = tokens.create({ name: 'ci' })
  now += 120_000
  tokens.find(token)
  tokens.close()
  expect(open().list()).toMatchObject([{ lastUsedAt: new Date(now).toISOString() }])
})

describe('a file that cannot be trusted', () => {
  const damages: [string, () => void][] = [
    ['is damaged', () => writeFileSync(path, '{"tokens": [')],
    ['holds something else', () => writeFileSync(path, '{"tokens": [{"id": 1}]}')],
    ['is empty', () => writeFileSync(path, '')],
    ['others can write', () => chmodSync(path, 0o666)],
  ]
  test.each(damages)('since it %s lets nobody in, and is told of once', async (_what, damage) => {
    const { token } = open().create({ name: 'ci' })
    damage()
    const tokens = open()
    const endpoint = await openTestEndpoint([route('/mcp')], {}, createAuthenticator({ tokens }))
    const headers = { authorization: `Bearer ${token}` }
    expect((await endpoint.ask('/mcp', { headers })).status).toBe(503)
    expect((await endpoint.ask('/mcp')).status).toBe(401)
    await endpoint.close()
    expect(logged).toHaveLength(1)
    expect(logged[0]).toContain('Stored tokens are rejected until')
    expect(() => tokens.create({ name: 'x' })).toThrow(
      expect.objectContaining({ code: 'damaged_tokens' }),
    )
  })
})

test('where there is no file the door is not locked, and is as soon as there is one', async () => {
  const tokens = open()
  const endpoint = await openTestEndpoint([route('/mcp')], {}, createAuthenticator({ tokens }))
  expect(await (await endpoint.ask('/mcp')).text()).toBe('anyone undefined')
  open().create({ name: 'ci' })
  await aMoment()
  expect((await endpoint.ask('/mcp')).status).toBe(401)
  rmSync(path)
  await aMoment()
  expect((await endpoint.ask('/mcp')).status).toBe(401)
  await endpoint.close()
})

test('a rotated token keeps its id and principal, and both values are valid for the overlap', () => {
  let now = Date.now()
  const tokens = open(() => now)
  const { token, record } = tokens.create({ name: 'ada', expiresAt: now + 90 * 86_400_000 })
  const principal = tokens.find(token)
  now += 10 * 86_400_000
  const rotated = tokens.rotate('ada', { overlapMs: 3_600_000 })
  expect(rotated.record).toMatchObject({ id: record.id, name: 'ada', scopes: ['mcp'] })
  // Of two processes: this one, and another that reads the file.
  for (const reader of [tokens, open(() => now)])
    for (const value of [token, rotated.token])
      expect(reader.find(value)).toMatchObject({ kind: 'token', id: record.id, name: 'ada' })
  expect(tokens.find(rotated.token)).toBe(principal)
  expect(Date.parse(rotated.record.expiresAt ?? '')).toBe(now + 90 * 86_400_000)
  now += 3_600_001
  expect(() => tokens.find(token)).toThrow(expect.objectContaining({ reason: 'replaced_token' }))
  expect(tokens.find(rotated.token)).toBe(principal)
  expect(readFileSync(path, 'utf8')).not.toContain(rotated.token.slice(5))
  tokens.revoke('ada')
  expect(() => tokens.find(rotated.token)).toThrow(
    expect.objectContaining({ reason: 'revoked_token' }),
  )
  expect(() => tokens.rotate('ada', { overlapMs: 0 })).toThrow('There is no token')
})

test('without an overlap the value before ends at once, and no overlap prolongs a token', () => {
  let now = Date.now()
  const tokens = open(() => now)
  const { token } = tokens.create({ name: 'ci', expiresAt: now + 60_000 })
  const second = tokens.rotate('ci', { overlapMs: 86_400_000, expiresAt: now + 86_400_000 })
  expect(second.record.previousUntil).toBe(new Date(now + 60_000).toISOString())
  for (const value of [token, second.token]) expect(tokens.find(value)).toBeDefined()
  const third = tokens.rotate('ci', { overlapMs: 0 })
  expect(() => tokens.find(second.token)).toThrow(
    expect.objectContaining({ reason: 'replaced_token' }),
  )
  expect(tokens.find(token)).toBeUndefined()
  now += 61_000
  expect(tokens.find(third.token)).toBeDefined()
})
