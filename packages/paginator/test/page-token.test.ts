import { decodePageToken, encodePageToken, paginate } from '@pith-mcp/paginator'
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
  const changed = { ok: false, reason: 'content_changed', first: expect.stringMatching(/^0\./) }
  expect(decodePageToken(token, { ...position, content: 'the texT' })).toEqual(changed)
  expect(decodePageToken(token, { ...position, resource: 'https://example.org/a' })).toEqual(
    changed,
  )
  expect(decodePageToken(token.replace('4790', '4791'), position)).toEqual(changed)
})

test.each(['', '2', 'next', '4790', '4790.', '.k7q2m8', '-1.k7q2m8', 'x'.repeat(100_000)])(
  'is not fooled by %j',
  (text) => {
    expect(decodePageToken(text, position)).toEqual({ ok: false, reason: 'malformed', valid: [] })
  },
)

const content = Array.from({ length: 400 }, (_, at) => `Line ${at} of the text.`).join('\n')
const resource = 'file:///src/app.ts#Server/listen'
const starts = paginate(content, { budget: 500 }).map(({ start }) => start)

/** Every text one slip of a copyist away. */
function slips(text: string): string[] {
  const alphabet = '0123456789abcdefghjkmnpqrstvwxyz.'
  return Array.from(text, (_, at) => at).flatMap((at) => [
    text.slice(0, at) + text.slice(at + 1),
    text.slice(0, at) + text.charAt(at) + text.slice(at),
    text.slice(0, at) + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2),
    ...Array.from(alphabet, (sign) => text.slice(0, at) + sign + text.slice(at + 1)),
  ])
}

test('a slip of one character is mended, or refused; never another page', () => {
  let mended = 0
  for (const start of starts) {
    const right = encodePageToken({ resource, start, content })
    for (const wrong of slips(right)) {
      const result = decodePageToken(wrong, { resource, content, starts: () => starts })
      if (!result.ok) continue
      expect([wrong, result.start]).toEqual([wrong, start])
      if (wrong !== right) mended++
    }
  }
  expect(mended).toBeGreaterThan(5000)
})

test('a token that is none is answered with those that are, a stale one with the first', () => {
  const refused = decodePageToken('page 2', { resource, content, starts: () => starts })
  expect(refused).toMatchObject({ ok: false, reason: 'malformed' })
  if (refused.ok || refused.reason !== 'malformed') throw new Error('accepted')
  const { valid = [] } = refused
  expect(valid).toHaveLength(10)
  expect(decodePageToken(valid[2] ?? '', { resource, content })).toMatchObject({
    start: starts[2],
  })
  const stale = decodePageToken(valid[2] ?? '', { resource, content: `${content}!` })
  expect(stale).toEqual({
    ok: false,
    reason: 'content_changed',
    first: encodePageToken({ resource, start: 0, content: `${content}!` }),
  })
})

test('with a key, a token cannot be made without it', () => {
  const key = new Uint8Array(32).fill(7)
  const sealed = encodePageToken({ resource, start: 500, content, key })
  expect(sealed).toMatch(/^500\.[0-9a-z]{32}$/)
  expect(decodePageToken(sealed, { resource, content, key })).toEqual({ ok: true, start: 500 })
  expect(decodePageToken(sealed, { resource, content, key: new Uint8Array(32) }).ok).toBe(false)
  const plain = encodePageToken({ resource, start: 500, content })
  expect(decodePageToken(plain, { resource, content, key }).ok).toBe(false)
  // Nor is one handed out to whoever asks with a wrong one.
  for (const wrong of ['zzz', '0.abcdef'])
    expect(
      JSON.stringify(decodePageToken(wrong, { resource, content, key, starts: () => starts })),
    ).not.toMatch(/[0-9a-z]{32}/)
})
