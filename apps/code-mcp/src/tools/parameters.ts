import { z } from 'zod'

/** Models write numbers as text now and then, and null for what they leave out. */
const absent = (value: unknown): unknown => (value === null || value === '' ? undefined : value)
const toNumber = (value: unknown): unknown =>
  typeof value === 'string' && value.trim() !== '' ? Number(value) : absent(value)

export const optionalText = () => z.preprocess(absent, z.string().optional())
export const optionalNumber = () => z.preprocess(toNumber, z.number().optional())

/** Parameters that several tools share, described once. */
export const filePath = z.string().describe('Path of a source file')
export const pageToken = optionalText().describe('Of another page, as a reply named it')
export const pageSize = z
  .preprocess(absent, z.union([z.number(), z.string()]).optional())
  .describe('Tokens (default 4000, most 20000), or "300 lines", "10 KB"')
export const startLine = optionalNumber().describe('Begin at this line of it, from 1')
