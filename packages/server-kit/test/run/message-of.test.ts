import { expect, test } from 'vitest'
import { messageOf } from '../../src/run/index.ts'

test.each(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM'])(
  '%s names the file, and what helps',
  (code) => {
    const error = Object.assign(new Error(`${code}: no`), { code, path: '/srv/tokens.json' })
    expect(messageOf(error)).toMatch(
      new RegExp(`^/srv/tokens\\.json cannot be written \\(${code}\\)\\. \\w`),
    )
  },
)

test('other errors keep their message', () => {
  expect(messageOf(new Error('x'))).toBe('x')
  expect(messageOf('y')).toBe('y')
})
