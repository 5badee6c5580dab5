import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Reading = Readonly<Record<'longSentences' | 'forms' | 'slowBeginnings' | 'longPages', number>>
const { readingOfManual } = (await import(
  new URL('../scripts/language/sentences.mjs', import.meta.url).href
)) as { readingOfManual: () => Reading }

test('the manual has no more long sentences than its limits, which only fall', () => {
  const limits = JSON.parse(readFileSync('scripts/house/limits.json', 'utf8')).manual
  expect(readingOfManual()).toEqual(limits)
})
