import { z } from 'zod'
import { ApiError } from './problem.ts'

/** What was given, as a schema says; members it does not have are named. @throws {ApiError} */
export function given(schema: z.ZodType, value: unknown, where: string): unknown {
  const result = strictOf(schema).safeParse(value)
  if (result.success) return result.data
  const { issues } = result.error
  // A slip is the reason for what is missing, too.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]
  const at = [where, ...(issue?.path ?? [])].join('.')
  throw new ApiError(400, 'bad_request', `${at}: ${issue?.message}.`)
}

const stricts = new WeakMap<z.ZodType, z.ZodType>()

function strictOf(schema: z.ZodType): z.ZodType {
  const known = stricts.get(schema)
  if (known) return known
  const strict = schema instanceof z.ZodObject ? schema.strict() : schema
  stricts.set(schema, strict)
  return strict
}

/** @throws {ApiError} */
export function parsed(body: string | undefined): unknown {
  try {
    return JSON.parse(body ?? '')
  } catch {
    throw new ApiError(400, 'bad_request', 'The body is no JSON.')
  }
}

/** Each member once. @throws {ApiError} */
export function queryIn(searchParams: URLSearchParams): Record<string, string> {
  const query: Record<string, string> = {}
  for (const [name, value] of searchParams) {
    if (Object.hasOwn(query, name))
      throw new ApiError(400, 'bad_request', `query.${name}: is given more than once.`)
    query[name] = value
  }
  return query
}
