import { expect, test } from 'vitest'
import { createConsoleSessions, setCookie } from '../../src/session/console-sessions.ts'

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
