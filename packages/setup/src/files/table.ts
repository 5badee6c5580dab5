export type Table = Record<string, unknown>

export const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What stands at the end of a way, if anything does. */
export const valueAt = (root: unknown, way: readonly string[]): unknown =>
  way.reduce<unknown>(
    (at, key) => (isTable(at) && Object.hasOwn(at, key) ? at[key] : undefined),
    root,
  )
