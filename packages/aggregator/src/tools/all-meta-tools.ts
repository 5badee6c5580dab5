import { batch } from './batch.ts'
import { call } from './call.ts'
import { callReadOnly } from './call-read-only.ts'
import { getModuleSchema } from './get-module-schema.ts'
import type { MetaTool } from './meta-tool.ts'
import { readMore } from './read-more.ts'
import { searchTools } from './search-tools.ts'

export const metaTools: readonly MetaTool[] = [
  searchTools,
  getModuleSchema,
  call,
  callReadOnly,
  batch,
  readMore,
]
