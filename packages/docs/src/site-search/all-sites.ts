import { algolia } from './algolia/algolia.ts'
import { aws, awsChina } from './aws/aws.ts'
import { gitbook } from './gitbook/gitbook.ts'
import { mdn } from './mdn/mdn.ts'
import { mediawiki } from './mediawiki/mediawiki.ts'
import { microsoftLearn } from './microsoft-learn/microsoft-learn.ts'
import { mintlify } from './mintlify/mintlify.ts'
import type { SiteAdapter } from './port/site.ts'
import { readthedocs } from './readthedocs/readthedocs.ts'
import { snowflake } from './snowflake/snowflake.ts'
import { typesense } from './typesense/typesense.ts'

/**
 * Adapters of a single site first, then services in the order in which a page is tested for them.
 */
export const allSites: readonly SiteAdapter[] = [
  aws,
  awsChina,
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
