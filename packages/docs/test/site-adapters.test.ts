import { expect, test } from 'vitest'
import { allSites } from '../../sites/src/site-search/all-sites.ts'
import { algolia } from './sites/algolia.ts'
import { aws } from './sites/aws.ts'
import { gitbook } from './sites/gitbook.ts'
import { mdn } from './sites/mdn.ts'
import { mediawiki } from './sites/mediawiki.ts'
import { microsoftLearn } from './sites/microsoft-learn.ts'
import { mintlify } from './sites/mintlify.ts'
import { readthedocs } from './sites/readthedocs.ts'
import { siteContract } from './sites/site.contract.ts'
import { snowflake } from './sites/snowflake.ts'
import { typesense } from './sites/typesense.ts'

const fixtures = [
  aws,
  snowflake,
  microsoftLearn,
  mdn,
  algolia,
  typesense,
  mintlify,
  gitbook,
  readthedocs,
  mediawiki,
]

for (const fixture of fixtures)
  siteContract(fixture, fixture === fixtures[0] || process.env['LONG'] !== undefined)

test('every adapter keeps the contract', () => {
  // AWS in China has no search of its own; its pages are those of aws.test.ts.
  const withSearch = allSites.filter(({ name }) => name !== 'aws-cn')
  expect(fixtures.map(({ name }) => name)).toEqual(withSearch.map(({ name }) => name))
})
