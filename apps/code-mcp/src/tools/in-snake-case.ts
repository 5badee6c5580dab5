import type { z } from 'zod'

/** Other servers call the same parameters `pageToken` and `pageSize`: both are understood. */
export function inSnakeCase(value: unknown, { shape }: z.ZodObject): unknown {
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).flatMap(([key, one]) => {
    const snake = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    const isMeant = !Object.hasOwn(shape, key) && Object.hasOwn(shape, snake)
    if (!isMeant) return [[key, one] as const]
    // If both spellings are passed, ours is used.
    return Object.hasOwn(value, snake) ? [] : [[snake, one] as const]
  })
  return Object.fromEntries(entries)
}
