import type { components, paths } from './schema.d.ts'

/** The named schemas of the API. */
export type Schemas = components['schemas']

/** The query of a path. */
export type QueryOf<P extends keyof paths> = paths[P] extends {
  get: { parameters: { query?: infer Q } }
}
  ? NonNullable<Q>
  : never
