import { expect, test } from 'vitest'
import { createRedactor, createStderrTail } from '../../src/upstream/stderr-tail.ts'

test('the last lines are kept, whole though they come in pieces', () => {
  const told: string[] = []
  const tail = createStderrTail(
    (text) => text,
    (line) => void told.push(line),
  )
  for (let line = 0; line < 200; line++) {
    tail.add(`line ${line}`)
    tail.add('\n\n')
  }
  tail.add('not yet')
  expect(tail.lines(3)).toEqual(['line 198', 'line 199', 'not yet'])
  expect(tail.lines()).toHaveLength(50)
  expect(told).toHaveLength(200)
})

test('a line without end does not grow', () => {
  const tail = createStderrTail((text) => text)
  for (let part = 0; part < 1_000; part++) tail.add('x'.repeat(1_000))
  expect(tail.lines().join('').length).toBeLessThanOrEqual(500)
})

test.each([
  ['as it is', 'token sk-secret-1 refused', 'token [redacted] refused'],
  ['behind a scheme', 'Bearer abc123def refused', '[redacted] refused'],
  ['line by line', 'MIIEvQIBADANBg', '[redacted]'],
  ['in JSON', '{"key":"with \\"quotes\\" in"}', '{"key":"[redacted]"}'],
  ['in an address', 'GET /?q=with%20%22quotes%22%20in', 'GET /?q=[redacted]'],
])('a secret is not shown %s', (_name, said, shown) => {
  const secrets = [
    'sk-secret-1',
    'Bearer abc123def',
    '-----BEGIN\nMIIEvQIBADANBg\n',
    'with "quotes" in',
  ]
  expect(createRedactor(secrets)(said)).toBe(shown)
})

test('short values are words that happen to be said', () => {
  expect(createRedactor(['dev', ''])('a device in dev')).toBe('a device in dev')
})
