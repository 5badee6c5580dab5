export type Table = Record<string, unknown>

export const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value at `path`, if any. */
export const valueAt = (root: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (at, key) => (isTable(at) && Object.hasOwn(at, key) ? at[key] : undefined),
    root,
  )

/** True if two values are equal, ignoring the order of members. */
export const sameData = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b)

const canonical = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'bigint' || (typeof part === 'number' && !Number.isFinite(part)))
      return `${part}`
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
