import { expect, test } from 'vitest'
import { createCodeCheck, createConsoleCode } from '../server/session/console-codes.ts'

const key = 'a key of this process'

test('a code is good once', () => {
  const check = createCodeCheck(key)
  const code = createConsoleCode(key)
  expect([check(code), check(code)]).toEqual([true, false])
})

test('a code is good for ten minutes', () => {
  const made = 1_000_000
  const at = (ms: number) => createCodeCheck(key, () => made + ms)(createConsoleCode(key, made))
  expect([at(599_999), at(600_000)]).toEqual([true, false])
})

test('a code of another key, or one that was changed, is none', () => {
  const check = createCodeCheck(key)
  const code = createConsoleCode(key)
  const [until = '', nonce = '', signature = ''] = code.split('.')
  expect(check(createConsoleCode('another key'))).toBe(false)
  expect(check(`${until}0.${nonce}.${signature}`)).toBe(false)
  expect(check(`${until}.${nonce}x.${signature}`)).toBe(false)
  expect(check(`${code}.more`)).toBe(false)
  expect(check(`${until}.${nonce}.${'é'.repeat(43)}`)).toBe(false)
  expect(check('')).toBe(false)
  expect(check(code)).toBe(true)
})
