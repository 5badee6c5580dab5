import type { components } from './schema.d.ts'

/** The named schemas of the API. */
export type Schemas = components['schemas']
