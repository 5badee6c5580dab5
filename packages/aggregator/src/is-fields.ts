import type { Fields } from './upstream/connection.ts'

/** An object of JSON, not a list and not null. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
