import type { StandardSchemaV1 } from '@modelcontextprotocol/server'
import type { JsonObject } from './message.ts'
/** A schema that accepts everything: results are passed on unvalidated. */
export const verbatim: StandardSchemaV1<unknown, JsonObject> = {
  '~standard': {
    version: 1,
    vendor: 'pith',
    validate: (value) => ({ value: value as JsonObject }),
  },
}
