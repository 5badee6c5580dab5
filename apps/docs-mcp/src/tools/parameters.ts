import { z } from 'zod'

/** Models write numbers and flags as text now and then, and null for what they leave out. */
const absent = (value: unknown): unknown => (value === null ? undefined : value)
const toNumber = (value: unknown): unknown =>
  typeof value === 'string' && value.trim() !== '' ? Number(value) : absent(value)
const toBoolean = (value: unknown): unknown =>
  value === 'true' ? true : value === 'false' ? false : absent(value)

/** A list may come as JSON in a string, or as its only element. */
function toList(value: unknown): unknown {
  if (typeof value !== 'string') return absent(value)
  if (!value.trim().startsWith('[')) return [value]
  try {
    return JSON.parse(value)
  } catch {
    return [value]
  }
}

/** An object may come as JSON in a string, and a list as its only element. */
function toLists(value: unknown): unknown {
  let given = absent(value)
  if (typeof given === 'string')
    try {
      given = given.trim() === '' ? undefined : JSON.parse(given)
    } catch {
      return given
    }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  return Object.fromEntries(
    Object.entries(given).map(([name, one]) => [name, typeof one === 'string' ? [one] : one]),
  )
}

/** A number with a default; the schema that a client sees says `number`. */
export const numberOr = (fallback: number) => z.preprocess(toNumber, z.number().default(fallback))
/** A number with a default that has to lie within bounds. */
export function boundedNumber(
  fallback: number,
  { above, least, most, below }: { above?: number; least?: number; most?: number; below?: number },
) {
  let number = z.number()
  if (above !== undefined) number = number.gt(above)
  if (least !== undefined) number = number.min(least)
  if (most !== undefined) number = number.max(most)
  if (below !== undefined) number = number.lt(below)
  return z.preprocess(toNumber, number.default(fallback))
}
export const flag = () => z.preprocess(toBoolean, z.boolean().default(false))
export const optionalText = () => z.preprocess(absent, z.string().optional())
export const textOr = (fallback: string) => z.preprocess(absent, z.string().default(fallback))
export const requiredList = () => z.preprocess(toList, z.array(z.string()))
export const optionalList = () => z.preprocess(toList, z.array(z.string()).optional())

export const optionalFilters = () =>
  z.preprocess(toLists, z.record(z.string(), z.array(z.string())).optional())

/** Parameters that several tools share, described once. */
export const url = z.string().describe('Page URL or path; a #fragment may name the section')
export const includeCodeBlocks = flag().describe('Code in full')
export const maxLength = numberOr(5000).describe('Characters at most; 0 = as many as allowed')
export const page = optionalText().describe('Token from the previous reply, to go on')
