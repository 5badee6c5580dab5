import { z } from 'zod'

/** Models send null for parameters that they leave out. */
export const absent = (value: unknown): unknown => (value === null ? undefined : value)

/** Models send numbers as texts, and empty ones for none. */
export const toNumber = (value: unknown): unknown => {
  if (typeof value !== 'string') return absent(value)
  return value.trim() === '' ? undefined : Number(value)
}

/** A number within bounds; values outside are set to the nearest bound. */
export const numberWithin = (min: number, max: number, fallback: number) =>
  z.preprocess((value) => {
    const number = toNumber(value)
    return typeof number === 'number' ? Math.min(Math.max(min, number), max) : number
  }, z.number().min(min).max(max).default(fallback))
