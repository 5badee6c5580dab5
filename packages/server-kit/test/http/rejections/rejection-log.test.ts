import { expect, test } from 'vitest'
import {
  createRejectionLog,
  type Rejection,
  safely,
} from '../../../src/http/rejections/rejections.ts'

const rejection = (address: string, reason = 'host') => ({
  reason,
  address,
  status: 403,
  method: 'GET',
  path: '/',
})

test('of a flood from one place five are told, and how many more there were', () => {
  const told: Rejection[] = []
  const notes = createRejectionLog((one) => told.push(one))
  for (let n = 0; n < 10_000; n++) notes.record(rejection('10.0.0.1'))
  expect(told.map(({ count }) => count)).toEqual([1, 1, 1, 1, 1])
  notes.flush()
  expect(told.slice(5)).toMatchObject([{ count: 9_995, address: '10.0.0.1' }])
  notes.record(rejection('10.0.0.1'))
  expect(told).toHaveLength(7)
  notes.flush()
  expect(told).toHaveLength(7)
})

test('of a flood from everywhere few lines are told, and none is left uncounted', () => {
  const told: Rejection[] = []
  const notes = createRejectionLog((one) => told.push(one))
  for (let n = 0; n < 10_000; n++) notes.record(rejection(`10.0.${n >> 8}.${n & 255}`))
  notes.flush()
  expect(told.length).toBeLessThan(100)
  expect(told.reduce((sum, { count }) => sum + count, 0)).toBe(10_000)
  expect(told.at(-1)).toMatchObject({ address: 'several' })
})

test('what came from outside is written down as plain text', () => {
  expect(safely('/a\u001b[31m\r\nb\u202e')).toBe('/a?[31m??b?')
  expect(safely('x'.repeat(1_000))).toHaveLength(200)
})
