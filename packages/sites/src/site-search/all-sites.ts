import { aws, awsChina } from './aws/aws.ts'
import { algolia, typesense } from './docsearch.ts'
import type { SiteAdapter } from './port/site.ts'
import { gitbook, mediawiki, mintlify, readthedocs } from './services.ts'
import { mdn, microsoftLearn } from './single-sites.ts'
import { snowflake } from './snowflake/snowflake.ts'

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
