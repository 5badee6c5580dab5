import * as api from '@pith-mcp/scorer'
import { expect, test } from 'vitest'

test('exports these names', () => {
  expect(Object.keys(api).sort()).toEqual([
    'createMeaning',
    'createRanker',
    'createSectionRanker',
    'createToolRanker',
    'defaultTuning',
    'editDistance',
    'excerptOf',
    'matchedTerms',
    'readQuery',
    'synonymsOf',
    'termsOf',
  ])
})
