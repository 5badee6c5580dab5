import type { Documents } from '@pith-mcp/server-kit/database'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createConsoleSessions, setCookie } from '../server/session/console-sessions.ts'

const viewer = {
  kind: 'token',
  name: 'viewer',
  scopes: new Set(['console:read'] as const),
} as const
const requestOf = (cookie: string, proof?: string) =>
  ({ headers: { cookie, ...(proof !== undefined && { 'x-pith-proof': proof }) } }) as never

test('a session lasts for as long as whoever opened it would be let in', () => {
  let isStillValid = true
  const sessions = createConsoleSessions(() => isStillValid)
  const { cookie, proof } = sessions.open(viewer)
  const find = () => sessions.find(requestOf(`pith=${cookie}`, proof), 'pith')
  const principal = find()
  expect(principal).toEqual({ ...viewer, kind: 'session' })
  isStillValid = false
  expect(find()).toBeUndefined()
  expect(principal && sessions.isOpen(principal)).toBe(false)
})

test('a session that was ended is none', () => {
  const sessions = createConsoleSessions(() => true)
  const { cookie, proof } = sessions.open(viewer)
  const principal = sessions.find(requestOf(`pith=${cookie}`, proof), 'pith')
  if (!principal) throw new Error('no session')
  sessions.end(principal)
  expect(sessions.find(requestOf(`pith=${cookie}`, proof), 'pith')).toBeUndefined()
  expect(sessions.isOpen(principal)).toBe(false)
})

test('a cookie is nothing without its proof, and a proof nothing without its cookie', () => {
  const sessions = createConsoleSessions(() => true)
  const mine = sessions.open(viewer)
  const theirs = sessions.open(viewer)
  for (const request of [
    requestOf(`pith=${mine.cookie}`),
    requestOf(`pith=${mine.cookie}`, theirs.proof),
    requestOf('', mine.proof),
    requestOf(`pith=${mine.proof}`, mine.cookie),
    requestOf(`other=${mine.cookie}`, mine.proof),
  ])
    expect(sessions.find(request, 'pith')).toBeUndefined()
})

test('a cookie is found among others of its name', () => {
  const sessions = createConsoleSessions(() => true)
  const { cookie, proof } = sessions.open(viewer)
  const request = requestOf(`pith=tossed; xpith=1; pith=${cookie}; pithy=4`, proof)
  expect(sessions.find(request, 'pith')?.name).toBe('viewer')
})

test('a cookie is read by no script and sent by no other site', () => {
  expect(setCookie('pith', 'x', true)).toBe('pith=x; Path=/; HttpOnly; SameSite=Strict; Secure')
  expect(setCookie('pith', '', false)).toContain('Max-Age=0')
})

describe('at two replicas', () => {
  /** Documents of a database, which both read at once. */
  function replicas(isValid: () => boolean = () => true) {
    const stored = new Map<string, unknown>()
    let isDown = false
    const documents = {
      get: (_: string, name: string) => stored.get(name),
      all: () => stored,
      async change(_: string, name: string, edit: (value: unknown) => unknown) {
        if (isDown) throw new Error('down')
        const value = await edit(stored.get(name))
        if (value === undefined) stored.delete(name)
        else stored.set(name, value)
        return value
      },
    } as unknown as Documents
    const [a, b] = [0, 1].map(() => createConsoleSessions(isValid, documents)) as [
      Sessions,
      Sessions,
    ]
    const { cookie, proof } = a.open(viewer)
    const find = (at: Sessions) => at.find(requestOf(`c=${cookie}`, proof), 'c')
    return {
      a,
      b,
      find,
      stored,
      fail(fails: boolean) {
        isDown = fails
      },
    }
  }
  type Sessions = ReturnType<typeof createConsoleSessions>
  const tick = () => new Promise((resolve) => setImmediate(resolve))
  const later = (ms: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
    onTestFinished(() => void vi.useRealTimers())
  }

  test.each([0, 11 * 60_000])(
    'a session that ended at one is none, %i ms later either',
    async (ms) => {
      const { a, b, find, stored } = replicas()
      expect(find(a)).toBeDefined()
      await tick()
      const principal = find(b)
      if (principal === undefined) throw new Error('no session')
      const there = find(a)
      b.end(principal)
      await tick()
      later(ms)
      for (const own of [a, b, a]) {
        expect(find(own)).toBeUndefined()
        await tick()
      }
      expect(there && a.isOpen(there)).toBe(false)
      expect(stored.size).toBe(0)
    },
  )

  test('use at one does not bring back what ends at the other meanwhile', async () => {
    const { a, b, find, stored } = replicas()
    await tick()
    later(11 * 60_000)
    const principal = find(b)
    find(a)
    if (principal) b.end(principal)
    await tick()
    await tick()
    expect([find(a), find(b), stored.size]).toEqual([undefined, undefined, 0])
  })

  test('a token that is revoked, or a caller that is removed, ends it at both', async () => {
    let isValid = true
    const { a, b, find } = replicas(() => isValid)
    await tick()
    expect([find(a), find(b)]).not.toContain(undefined)
    isValid = false
    later(11 * 60_000)
    expect([find(a), find(b)]).toEqual([undefined, undefined])
    await tick()
    expect([find(a), find(b)]).toEqual([undefined, undefined])
  })

  test('one that is not used for twelve hours ends at both; use at either extends it', async () => {
    const { a, b, find } = replicas()
    await tick()
    later(11 * 3_600_000)
    expect(find(b)).toBeDefined()
    await tick()
    later(11 * 3_600_000)
    expect(find(a)).toBeDefined()
    await tick()
    later(13 * 3_600_000)
    expect([find(a), find(b)]).toEqual([undefined, undefined])
  })

  test('while nothing can be stored, it begins and ends where it is used', async () => {
    const { a, b, find, stored, fail } = replicas()
    await tick()
    fail(true)
    const principal = find(a)
    if (principal) a.end(principal)
    await tick()
    expect(find(a)).toBeUndefined()
    expect(find(b)).toBeDefined()
    fail(false)
    await expect.poll(() => stored.size).toBe(0)
    expect(find(b)).toBeUndefined()
  })
})
