import { aws } from './sites/aws.ts'
import { mdn } from './sites/mdn.ts'
import { microsoftLearn } from './sites/microsoft-learn.ts'
import { siteContract } from './sites/site.contract.ts'
import { snowflake } from './sites/snowflake.ts'

for (const fixture of [aws, microsoftLearn, mdn, snowflake]) siteContract(fixture)
