import { decodePageToken, encodePageToken } from '@pith-mcp/paginator'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'

const position = { resource: 'https://example.org/a#b', start: 4790, content: 'the text' }
const token = encodePageToken(position)

test('is short: a position and six characters', () => {
  expect(token).toMatch(/^4790\.[0-9a-hjkmnp-tv-z]{6}$/)
  expect(encode(token).length).toBeLessThanOrEqual(8)
})

test('gives the start back', () => {
  expect(decodePageToken(token, position)).toEqual({ ok: true, start: 4790 })
})

test('forgives quotes, blanks and case', () => {
  expect(decodePageToken(` "${token.toUpperCase()}" `, position).ok).toBe(true)
})

test('forgives letters that look like digits', () => {
  const misread = token
    .replaceAll('0', 'o')
    .replace(/1/g, 'l')
    .replace(/^[\dol]+/, '4790')
  expect(decodePageToken(misread, position).ok).toBe(true)
})

test('notices another content, resource or position', () => {
  const changed = { ok: false, reason: 'content_changed' }
  expect(decodePageToken(token, { ...position, content: 'the texT' })).toEqual(changed)
  expect(decodePageToken(token, { ...position, resource: 'https://example.org/a' })).toEqual(
    changed,
  )
  expect(decodePageToken(token.replace('4790', '4791'), position)).toEqual(changed)
})

test.each(['', '2', 'next', '4790', '4790.', '.k7q2m8', '-1.k7q2m8', 'x'.repeat(100_000)])(
  'is not fooled by %j',
  (text) => {
    expect(decodePageToken(text, position)).toEqual({ ok: false, reason: 'malformed' })
  },
)
