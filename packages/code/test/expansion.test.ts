import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chunkOf } from '../src/chunk/function-chunk.ts'
import { CodeError } from '../src/code-error.ts'
import type { SourceFiles } from '../src/outline/source-files.ts'
import { globMatcher } from '../src/search/glob.ts'
import { readingsOf } from '../src/search/query-words.ts'

/** Up to 512 characters, most of them those with a meaning. */
const untrusted = fc.string({
  unit: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...'{},*?[]!-^/.#@:(|ab ') },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }) },
    { weight: 1, arbitrary: fc.constantFrom('{a,b}', '{a,{b,c}}', '**/', '*a', '[a-z]') },
  ),
  maxLength: 512,
})
const paths = [`${'a'.repeat(255)}`, 'a/'.repeat(100), 'src/{a,b}/[x].ts']

/** The steps that a glob takes to expand and to match the paths, or to be rejected. */
function stepsFor(pattern: string): number {
  let steps = 0
  const count = (more: number) => {
    steps += more
  }
  try {
    const matches = globMatcher(pattern, count)
    for (const path of paths) matches(path)
  } catch (error) {
    expect(error).toBeInstanceOf(CodeError)
  }
  return steps
}

test('a glob of 512 characters expands and matches in bounded steps', () => {
  // 64 alternatives of each length, with each character of the paths.
  const perCharacter = 2 * 64 * (paths.join('').length + 2)
  fc.assert(
    fc.property(untrusted, (text) => {
      const pattern = text.slice(0, 512)
      expect(stepsFor(pattern)).toBeLessThanOrEqual(perCharacter * (pattern.length + 1))
    }),
    { numRuns: 300, seed: 8 },
  )
})

test.each([
  ['pairs of braces', '{x,y}'.repeat(100)],
  ['braces in braces', `${'{x,'.repeat(150)}z${'}'.repeat(150)}`],
  ['braces that do not close', '{x,y}{'.repeat(80)],
  ['one long list', `{${'x,'.repeat(250)}}`],
  ['wildcards', '*x'.repeat(256)],
])('%s: the steps do not double with each', (_, pattern) => {
  expect(stepsFor(pattern)).toBeLessThan(2_000_000)
})

test('a glob with too many alternatives is rejected, and one with few in each other is read', () => {
  expect(() => globMatcher('{x,y}'.repeat(7))).toThrow(/more than 64 alternatives/)
  const matches = globMatcher('src/{one,two{3,4}}.{c,h}')
  for (const name of ['src/one.c', 'src/two3.h', 'src/two4.c']) expect(matches(name)).toBe(true)
  expect(matches('src/two.c')).toBe(false)
})

test('a query is read as at most three lists of twelve words', () => {
  fc.assert(
    fc.property(untrusted, (query) => {
      const readings = readingsOf(query)
      expect(readings.length).toBeLessThanOrEqual(3)
      for (const { pattern, count } of readings) {
        expect(count).toBeLessThanOrEqual(12)
        expect(pattern.source.length).toBeLessThanOrEqual(6 * query.length + 64)
      }
    }),
    { numRuns: 300, seed: 8 },
  )
})

test('an id is tried as at most twelve paths', async () => {
  await fc.assert(
    fc.asyncProperty(untrusted, async (id) => {
      let tries = 0
      const refuse = async () => {
        tries++
        throw new CodeError('not_found', 'none', 'none')
      }
      const files = { has: refuse, get: refuse } as unknown as SourceFiles
      const defaults = { size: { tokens: 4_000 } }
      await expect(chunkOf({ files, defaults }, id)).rejects.toBeInstanceOf(CodeError)
      expect(tries).toBeLessThanOrEqual(12)
    }),
    { numRuns: 300, seed: 8 },
  )
})
