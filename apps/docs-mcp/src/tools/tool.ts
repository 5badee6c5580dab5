import type { CallOptions, Docs } from '@pith-mcp/docs'
import {
  absent,
  type DefineTool,
  defineTool as define,
  type Tool,
  type ToolSet,
  toNumber,
} from '@pith-mcp/server-kit/tools'
import { z } from 'zod'

export { numberWithin } from '@pith-mcp/server-kit/tools'

export type DocsTool = Tool<Docs, CallOptions>

export type DocsTools = ToolSet<Docs, CallOptions>

/** Infers the type of `answer`'s input from the schema. */
export const defineTool: DefineTool<Docs, CallOptions> = (definition) => define(definition)

/** Models sometimes send flags as strings. */
const toBoolean = (value: unknown): unknown =>
  value === 'true' ? true : value === 'false' ? false : absent(value)

/** A list may be sent as a JSON string, or as its only element. */
function toList(value: unknown): unknown {
  if (typeof value !== 'string') return absent(value)
  if (!value.trim().startsWith('[')) return [value]
  try {
    return JSON.parse(value)
  } catch {
    return [value]
  }
}

/** An object may be sent as a JSON string, and a list in it as its only element. */
function toLists(value: unknown): unknown {
  let input = absent(value)
  if (typeof input === 'string')
    try {
      input = input.trim() === '' ? undefined : JSON.parse(input)
    } catch {
      return input
    }
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  return Object.fromEntries(
    Object.entries(input).map(([name, one]) => [name, typeof one === 'string' ? [one] : one]),
  )
}

/** A number with a default; its JSON schema is `number`. */
export const numberOr = (fallback: number, number: z.ZodNumber = z.number()) =>
  z.preprocess(toNumber, number.default(fallback))
export const flag = () => z.preprocess(toBoolean, z.boolean().default(false))
export const optionalText = () => z.preprocess(absent, z.string().optional())
export const textOr = (fallback: string) => z.preprocess(absent, z.string().default(fallback))
export const requiredList = () => z.preprocess(toList, z.array(z.string()))
export const optionalList = () => z.preprocess(toList, z.array(z.string()).optional())

export const optionalFilters = () =>
  z.preprocess(toLists, z.record(z.string(), z.array(z.string())).optional())

export const url = z.string().describe('Page URL or path; may end in #section')
export const includeCodeBlocks = flag().describe('Code in full')
export const lengthOr = (fallback: number) => numberOr(fallback).describe('Characters; 0 = most')
export const maxLength = lengthOr(5000)
export const page = optionalText().describe('From the previous reply')
