import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRedactor } from '../../src/secrets/redactor.ts'

const hiding = (secret: string): ((text: string) => string) => {
  const secrets = createRedactor()
  secrets.learn([secret], true)
  return secrets.redactIn
}

const hexOf = (code: number, length = 0): string => code.toString(16).padStart(length, '0')
const units = (sign: string): number[] => sign.split('').map((unit) => unit.charCodeAt(0))
const code = (sign: string): number => sign.codePointAt(0) ?? 0
const percent = (sign: string): string => Buffer.from(sign).toString('hex').replace(/../g, '%$&')

/** Ways to write one character. */
const ways: readonly ((sign: string) => string)[] = [
  (sign) =>
    units(sign)
      .map((unit) => `\\u${hexOf(unit, 4)}`)
      .join(''),
  (sign) =>
    units(sign)
      .map((unit) => `\\u${hexOf(unit, 4).toUpperCase()}`)
      .join(''),
  percent,
  (sign) => percent(sign).toUpperCase(),
  (sign) => percent(sign).replaceAll('%', '\\x'),
  (sign) => percent(sign).toUpperCase().replaceAll('%', '\\x'),
  (sign) => `&#${code(sign)};`,
  (sign) => `&#x${hexOf(code(sign))};`,
  (sign) => `&#X${hexOf(code(sign)).toUpperCase()};`,
  (sign) => `&#x00${hexOf(code(sign))};`,
]

const secret = fc
  .string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 60 })
  .filter((text) => text.trim() === text && !/[\n\r]/.test(text))
const word = fc.string({ unit: fc.constantFrom(...'abcXYZ 019'), maxLength: 12 })

test('a secret whose characters are escaped, each in any way, is hidden and nothing else', () => {
  const how = fc.array(fc.constantFrom(...ways), { minLength: 60, maxLength: 60 })
  fc.assert(
    fc.property(secret, how, word, word, (text, by, before, after) => {
      const escaped = [...text].map((sign, at) => by[at]?.(sign)).join('')
      expect(hiding(text)(`${before} ${escaped} ${after}`)).toBe(`${before} [redacted] ${after}`)
    }),
  )
})

test('characters outside ASCII too', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 10 }), fc.nat(9), (text, way) => {
      fc.pre(!/[\n\r]/.test(text) && text.trim() === text)
      const escaped = [...text].map(ways[way] ?? percent).join('')
      expect(hiding(text)(`<${escaped}>`)).toBe('<[redacted]>')
    }),
  )
})

test.each(['base64', 'base64url'] as const)(
  'a secret in %s is hidden at any alignment, but for the characters it shares',
  (encoding) => {
    fc.assert(
      fc.property(
        secret,
        fc.string({ maxLength: 9 }),
        fc.string({ maxLength: 9 }),
        (text, a, b) => {
          const encoded = Buffer.from(a + text + b).toString(encoding)
          const shown = hiding(text)(encoded)
          expect(shown).toContain('[redacted]')
          const edges =
            Math.ceil((Buffer.byteLength(a) * 8) / 6) + Math.ceil((Buffer.byteLength(b) * 8) / 6)
          expect(shown.replace('[redacted]', '').replace(/=+$/, '').length).toBeLessThanOrEqual(
            edges + 1,
          )
        },
      ),
    )
  },
)

test.each(['user', 'me', 'a', 'ada@example.com'])('in HTTP Basic of %s', (user) => {
  const token = 'ghs-value-of-a-token'
  const header = `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}`
  const shown = hiding(token)(header)
  expect(shown).toContain('[redacted]')
  expect(Buffer.from(shown.slice(6).split('[')[0] ?? '', 'base64').toString()).not.toContain('gh')
})

test.each(['hex', 'HEX'])('in %s', (kind) => {
  fc.assert(
    fc.property(secret, (text) => {
      const hex = Buffer.from(text).toString('hex')
      expect(hiding(text)(`x ${kind === 'hex' ? hex : hex.toUpperCase()} y`)).toBe('x [redacted] y')
    }),
  )
})

test('a text without the secret stays as it is, however it is escaped', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom('\\u00', '\\', '%', '%E2%82', '&#', '&#x110000;', '\\N', 'a', '"', '&lt;'),
      ),
      (parts) => {
        const text = parts.join('')
        expect(hiding('a secret of theirs')(text)).toBe(text)
      },
    ),
  )
})

const wrapped = (text: string, columns: number, by: string): string =>
  text.replace(new RegExp(`.{${columns}}(?=.)`, 'g'), `$&${by}`)

test.each(['\n', '\r\n', '\n  '])('in Base64 that is divided into lines by %j', (by) => {
  const columns = fc.integer({ min: 16, max: 80 })
  const around = fc.string({ maxLength: 99 })
  fc.assert(
    fc.property(secret, around, around, columns, (text, a, b, width) => {
      const whole = Buffer.from(`${a}${text}${b}`).toString('base64')
      const shown = hiding(text)(`x:\n${wrapped(whole, width, by)}\nend.`)
      expect(shown).toContain('[redacted]')
      expect(Buffer.from(shown, 'base64').toString()).not.toContain(text)
      expect(shown.endsWith('\nend.')).toBe(true)
    }),
  )
})

const digits = (text: string, group: number, by: string): string =>
  Buffer.from(text)
    .toString('hex')
    .replace(new RegExp(`.{${group}}(?=.)`, 'g'), `$&${by}`)
test.each([
  [2, ' '],
  [2, ':'],
  [2, '-'],
  [2, ', '],
  [4, ' '],
  [8, '  '],
  [60, '\n'],
])('in hexadecimal digits, every %s divided by %j', (group, by) => {
  fc.assert(
    fc.property(secret, fc.boolean(), (text, isUpper) => {
      const hex = digits(text, group, by)
      const shown = hiding(text)(`key=${isUpper ? hex.toUpperCase() : hex}; end`)
      expect(shown).toBe('key=[redacted]; end')
    }),
  )
})

test('in a dump, in the middle of other bytes', () => {
  const bytes = digits(`before ${'a secret of ours 1'} after`, 2, ' ').replace(/.{48}/g, '$&\n')
  const shown = hiding('a secret of ours 1')(bytes)
  expect(shown).toMatch(/^62 65 66 6f 72 65 20 *\[redacted\] *20 61 66 74 65 72$/)
})

test.each([
  ['a table', `| name | ${' '.repeat(40)} |\n| ${'-'.repeat(40)} |\n`],
  ['other Base64', wrapped(Buffer.from('b'.repeat(500)).toString('base64'), 76, '\n')],
  ['other digits', digits('c'.repeat(500), 2, ' ')],
  ['long words', 'internationalization\ninternationalization\n'],
])('%s stays as it is', (_, text) => {
  expect(hiding('a secret of ours 1')(text)).toBe(text)
})
