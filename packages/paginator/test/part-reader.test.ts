import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tokensOfPart } from '../src/part-cost.ts'
import { PartReader, partPattern } from '../src/part-reader.ts'

const read = (text: string): [string, number][] => {
  const parts = new PartReader(text)
  const found: [string, number][] = []
  while (parts.next()) found.push([text.slice(parts.start, parts.end), parts.tokens])
  return found
}

const byPattern = (text: string): [string, number][] =>
  Array.from(text.matchAll(new RegExp(partPattern, 'gu')), ([part]) => [part, tokensOfPart(part)])

const pieces = [
  ...['a', 'B', 'word', 'Word', 'CAPS', 'CAPITALS', 'camelCase', '1', '12345', ' ', '  ', '\t'],
  ...[
    '\n',
    '\n\n',
    '\r\n',
    '\v',
    '|',
    '`',
    '||',
    '.',
    '(',
    '_',
    'é',
    'É',
    'ß',
    '字',
    '한',
    '\u00a0',
  ],
  ...['\u3000', '\u0301', '😀', '٣', 'я', '—'],
]

test('the parts of ASCII characters are those of the pattern, and so are their costs', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((all) => all.join('')),
        fc.string({ unit: 'binary-ascii', maxLength: 20 }),
      ),
      (text) => {
        expect(read(text)).toEqual(byPattern(text))
      },
    ),
    { numRuns: 5_000 },
  )
})
