import { aws, awsChina } from './aws/aws.ts'
import type { SiteAdapter } from './site.ts'
import { snowflake } from './snowflake/snowflake.ts'

/** Those of one site first, then services in the order in which a page is looked at for them. */
export const allSites: readonly SiteAdapter[] = [aws, awsChina, snowflake]
