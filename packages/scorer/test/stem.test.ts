import { expect, test } from 'vitest'
import { stemOf } from '../src/terms/stem.ts'

test.each([
  ['news', 'new'],
  ['organization', 'organic'],
  ['university', 'universe'],
  ['general', 'generate'],
  ['international', 'internal'],
  ['community', 'communication'],
])('%s is not %s', (one, other) => {
  expect(stemOf(one)).not.toBe(stemOf(other))
})

test.each([
  ['organisations', 'organization'],
  ['conversion', 'convert'],
  ['relationships', 'relations'],
  ['books', 'booking'],
])('%s is %s', (one, other) => {
  expect(stemOf(one)).toBe(stemOf(other))
})
