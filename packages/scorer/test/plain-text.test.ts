import fc from 'fast-check'
import { expect, test } from 'vitest'
import { termsOf } from '../src/terms/terms-of.ts'

/** A letter that is not ASCII sends the whole text by the way for all of Unicode. */
const other = ' ж'

test('text of ASCII and signs has the same terms by the short way and the long one', () => {
  const text = fc.string({
    unit: fc.constantFrom(
      ...'abzABZ019_.:-/ \n\'"$#@()[]{}<>+*&%!?,;=|~^`\\',
      '“',
      '”',
      '’',
      '—',
      '…',
      '→',
      '©',
      '\u00a0',
      'camelCase',
      'HTMLElement',
      'snake_case',
      'os.path.join',
      '--long-flag',
      'relationships',
      'operator ',
      '||> ',
    ),
    maxLength: 60,
  })
  fc.assert(
    fc.property(text, (sample) => {
      expect(termsOf(sample)).toEqual(termsOf(sample + other).slice(0, -1))
    }),
    { numRuns: 2_000 },
  )
})
