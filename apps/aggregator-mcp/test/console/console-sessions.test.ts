import { expect, test } from 'vitest'
import { createConsoleSessions } from '../../src/console/console-sessions.ts'
import { cookieIn, setCookie } from '../../src/console/cookie.ts'

const viewer = {
  kind: 'token',
  name: 'viewer',
  scopes: new Set(['console:read'] as const),
} as const

test('a session lasts for as long as whoever opened it would be let in', () => {
  const sessions = createConsoleSessions()
  let isStillIn = true
  const cookie = sessions.open(viewer, () => isStillIn)
  expect(sessions.find(cookie)).toEqual({ ...viewer, kind: 'session' })
  isStillIn = false
  expect(sessions.find(cookie)).toBeUndefined()
  isStillIn = true
  expect(sessions.find(cookie)).toBeUndefined()
})

test('a session that was ended is none', () => {
  const sessions = createConsoleSessions()
  const cookie = sessions.open(viewer)
  sessions.end(cookie)
  expect(sessions.find(cookie)).toBeUndefined()
})

test('a cookie is found among others, by its whole name', () => {
  const request = { headers: { cookie: 'xpith=1; pith=two=3; pithy=4' } } as never
  expect(cookieIn(request, 'pith')).toBe('two=3')
  expect(cookieIn(request, 'it')).toBeUndefined()
  expect(cookieIn({ headers: {} } as never, 'pith')).toBeUndefined()
})

test('a cookie is read by no script and sent by no other site', () => {
  expect(setCookie('pith', 'x', true)).toBe(
    'pith=x; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure',
  )
  expect(setCookie('pith', '', false)).toContain('Max-Age=0')
})
