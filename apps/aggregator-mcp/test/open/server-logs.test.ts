import { expect, test } from 'vitest'
import { createServerLogs } from '../../src/open/server-logs.ts'

test('the last lines of each server are kept, and all are counted', () => {
  const logs = createServerLogs()
  for (let line = 0; line < 700; line++) logs.add('a', `line ${line}`)
  logs.add('b', 'only one')
  const { lines, total } = logs.of('a')
  expect([lines.length, lines[0]?.text, lines.at(-1)?.text]).toEqual([500, 'line 200', 'line 699'])
  expect(total).toBe(700)
  expect(logs.of('b').lines.map(({ text }) => text)).toEqual(['only one'])
  expect(logs.of('none')).toEqual({ lines: [], total: 0 })
})

test('long lines take no more than 100 kB', () => {
  const logs = createServerLogs()
  for (let line = 0; line < 400; line++) logs.add('a', 'ü'.repeat(500))
  const { lines } = logs.of('a')
  expect(lines).toHaveLength(100)
})
