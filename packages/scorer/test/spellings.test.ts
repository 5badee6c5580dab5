import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readQuery } from '../src/terms/read-query.ts'
import { termsOf } from '../src/terms/terms-of.ts'

const share = (one: string, other: string): boolean => {
  const terms = new Set(termsOf(one))
  return termsOf(other).some((term) => terms.has(term))
}

/** Parts of a name, as `camelCase`, `PascalCase` or with separators. */
const parts = fc.array(
  fc
    .tuple(
      fc.string({
        unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'),
        minLength: 1,
        maxLength: 9,
      }),
      fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 2 }),
    )
    .map(([letters, digits]) => `${letters}${digits}`),
  { minLength: 1, maxLength: 6 },
)
const capital = (part: string): string => part.slice(0, 1).toUpperCase() + part.slice(1)
const spellings: Readonly<Record<string, (parts: readonly string[]) => string>> = {
  joined: (all) => all.join(''),
  camelCase: ([first = '', ...rest]) => first + rest.map(capital).join(''),
  PascalCase: (all) => all.map(capital).join(''),
  'kebab-case': (all) => all.join('-'),
  snake_case: (all) => all.join('_'),
  dotted: (all) => all.join('.'),
  'mixed-with_digits': (all) => all.join('_').replace(/(\d)_/g, '$1-'),
}

test('every spelling of an identifier, in any case, shares a term with every other', () => {
  const spelling = fc.constantFrom(...Object.values(spellings))
  const letterCase = fc.constantFrom(
    (name: string) => name,
    (name: string) => name.toLowerCase(),
    (name: string) => name.toUpperCase(),
  )
  fc.assert(
    fc.property(parts, spelling, spelling, letterCase, letterCase, (all, one, other, a, b) => {
      expect(share(a(one(all)), b(other(all))), `${a(one(all))} ${b(other(all))}`).toBe(true)
    }),
    { numRuns: process.env['LONG'] ? 100_000 : 3_000 },
  )
})

test.each([
  ['PageWriter', 'pagewriters'],
  ['sha3_256', 'SHA3-256'],
  ['co-operate', 'cooperate'],
  ['_privateName', 'private_name'],
  ['__dunder__', 'dunder'],
  ['std::map', 'stdmap'],
  ['F#', 'f#'],
  ['Notepad++ settings', 'notepad++'],
  ['D/D++ and F#/Q#', 'd++'],
  ['the pair operator <|> joins', '<|>'],
  ['use `~>` for it', '~>'],
  ['the operator \\|\\|= assigns', '||='],
  ['operator<<(stream)', '<<'],
  ['release v3.1.4', '3.1.4'],
  ['release 3.12.1', '3.12'],
  ['build v7.0', 'v7'],
  ['error 0xC0FFEE11', 'c0ffee11'],
  ['code C0FFEE11', '0xc0ffee11'],
  ['crème brûlée', 'creme brulee'],
  ['Ærø', 'aero'],
  ['Łódź', 'lodz'],
  ['straße', 'STRASSE'],
  ['الكتاب', 'كتاب'],
  ['مدينة', 'والمدينة'],
  ['Vertices', 'vertex'],
  ['was overridden', 'override'],
])('%s is found by %s', (text, query) => {
  const terms = new Set(termsOf(text))
  const asked = readQuery(query).terms.flatMap(({ term, folded = term }) => [term, folded])
  expect(asked.some((term) => terms.has(term))).toBe(true)
})

test.each([
  ['C++', 'c'],
  ['naïve', 'naiv'],
  ['3.10', '3.1'],
])('%s also has a term of its own beside those of %s', (name, other) => {
  expect(termsOf(name)[0]).not.toBe(termsOf(other)[0])
})

test.each([
  'one - two -- three --- four',
  '| --- | :--- | ---: |',
  'and so on ... the operator. Next',
  '## Heading ##',
  '**bold** text',
])('%s has no operator', (text) => {
  expect(termsOf(text).filter((term) => !/\w/.test(term))).toEqual([])
})

test('words in capitals or quotes are significant in a question', () => {
  const weights = (query: string) =>
    Object.fromEntries(readQuery(query).terms.map(({ term, weight }) => [term, weight]))
  expect(weights('rows WHERE x IS NULL')).toMatchObject({ where: 1, is: 1, null: 1 })
  expect(weights('the "not in" filter')).toMatchObject({ not: 1, in: 1 })
  expect(weights('what is a filter')).toEqual({ filter: 1 })
})
