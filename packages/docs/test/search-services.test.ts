import { algolia } from './sites/algolia.ts'
import { gitbook } from './sites/gitbook.ts'
import { mintlify } from './sites/mintlify.ts'
import { opensearch } from './sites/opensearch.ts'
import { readthedocs } from './sites/readthedocs.ts'
import { siteContract } from './sites/site.contract.ts'
import { typesense } from './sites/typesense.ts'

for (const fixture of [algolia, typesense, mintlify, gitbook, readthedocs, opensearch])
  siteContract(fixture)
