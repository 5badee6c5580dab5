import { expect, test } from 'vitest'
import { createStderrTail } from '../../src/upstream/stderr-tail.ts'

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
