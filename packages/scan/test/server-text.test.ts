import { expect, test } from 'vitest'
import { fenced, forModel } from '../src/server-text.ts'

test('a fence that is cut is closed', () => {
  const text = `it answered with HTTP 500: ${fenced('x'.repeat(300))}`
  expect(forModel(text, 60)).toBe(`${text.slice(0, 60)}…</server-text>`)
  expect(forModel(text)).toBe(text)
  expect(forModel('the process exited with code 3', 10)).toBe('the proces…')
})
