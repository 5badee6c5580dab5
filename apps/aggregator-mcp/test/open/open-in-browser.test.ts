import { EventEmitter } from 'node:events'
import { expect, test, vi } from 'vitest'
import { openInBrowser } from '../../src/open/open-in-browser.ts'

const opener = vi.hoisted(() => ({ code: 0, count: 0, isMissing: false }))
vi.mock('open', () => ({
  default: async () => {
    opener.count++
    const child = new EventEmitter()
    setImmediate(() =>
      opener.isMissing
        ? child.emit('error', new Error('no opener'))
        : child.emit('exit', opener.code),
    )
    return child
  },
}))

const desktop = { DISPLAY: ':0' }

test.each([
  ['the opener succeeds', 0, true],
  ['the opener fails', 3, false],
])('%s', async (_, code, isOpened) => {
  opener.code = code
  expect(await openInBrowser('http://localhost/', desktop)).toBe(isOpened)
})

test('there is no opener', async () => {
  opener.isMissing = true
  expect(await openInBrowser('http://localhost/', desktop)).toBe(false)
})

test.each([
  ['over SSH', { ...desktop, SSH_CONNECTION: '::1 1 ::1 22' }],
  ['without a display', {}],
])('%s no browser is started', async (_, environment) => {
  const before = opener.count
  expect(await openInBrowser('http://localhost/', environment)).toBe(false)
  expect(opener.count).toBe(before)
})
