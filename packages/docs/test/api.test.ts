import * as api from '@pith-mcp/docs'
import { expect, test } from 'vitest'

test('exports these names', () => {
  expect(Object.keys(api).sort()).toEqual([
    'DocsError',
    'allSites',
    'createDocs',
    'declarationAt',
    'homeOf',
    'migrationSteps',
    'parseSiteSettings',
    'readCookieFile',
  ])
})
