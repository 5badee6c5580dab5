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

/** A number with a default; the schema that a client sees says `number`. */
export const numberOr = (fallback: number) => z.preprocess(toNumber, z.number().default(fallback))
export const flag = () => z.preprocess(toBoolean, z.boolean().default(false))
export const optionalText = () => z.preprocess(absent, z.string().optional())
export const optionalList = () => z.preprocess(toList, z.array(z.string()).optional())

/** Parameters that several tools share, described once. */
export const url = z.string().describe('Page URL or path; a #fragment may name the section')
export const includeCodeBlocks = flag().describe('Code in full')
export const maxLength = numberOr(5000).describe('Characters at most; 0 = as many as allowed')
export const page = optionalText().describe('Token from the previous reply, to go on')
