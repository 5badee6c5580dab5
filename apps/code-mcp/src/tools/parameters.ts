import { z } from 'zod'

/** Models sometimes send numbers as strings, and null for omitted parameters. */
const absent = (value: unknown): unknown => (value === null || value === '' ? undefined : value)
const toNumber = (value: unknown): unknown =>
  typeof value === 'string' && value.trim() !== '' ? Number(value) : absent(value)

export const optionalText = () => z.preprocess(absent, z.string().optional())
export const optionalNumber = () => z.preprocess(toNumber, z.number().optional())

export const filePath = z.string().describe('Path of a source file')
export const pageToken = optionalText().describe('Of another page, from a reply')
export const pageSize = z
  .preprocess(absent, z.union([z.number(), z.string()]).optional())
  .describe('Tokens (default 4000, max 20000), or "300 lines", "10 KB"')
export const startLine = optionalNumber().describe('First line in the function, from 1')
