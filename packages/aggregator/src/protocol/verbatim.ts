import type { StandardSchemaV1 } from '@modelcontextprotocol/server'
import type { Fields } from './message.ts'
/** A schema that takes everything as it is: what passes through is not ours to judge. */
export const verbatim: StandardSchemaV1<unknown, Fields> = {
  '~standard': {
    version: 1,
    vendor: 'pith',
    validate: (value) => ({ value: value as Fields }),
  },
}
