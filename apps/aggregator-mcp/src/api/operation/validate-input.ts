import { requirement } from '@pith-mcp/server-kit/tools'
import { z } from 'zod'
import { badRequest } from './problem.ts'

/** Validate a value against a schema. Unknown members are rejected. @throws {ApiError} */
export function validateInput(schema: z.ZodType, value: unknown, where: string): unknown {
  const result = strictOf(schema).safeParse(value)
  if (result.success) return result.data
  const { issues } = result.error
  // A misspelled member is also reported as missing; name the misspelled one.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]
  const path = [where, ...(issue?.path ?? [])].join('.')
  throw badRequest(`${path} ${issue && describeIssue(issue, value)}.`)
}

/** What is wrong with a value, without the validator's own terms. */
function describeIssue(issue: z.core.$ZodIssue, input: unknown): string {
  const { code, path } = issue
  const value = path.reduce<unknown>((inner, key) => (inner as Members | undefined)?.[key], input)
  if (code === 'unrecognized_keys')
    return `must not have ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}`
  return code === 'invalid_type' && value === undefined ? 'is required' : requirement(issue)
}

type Members = Readonly<Record<PropertyKey, unknown>>

const strictSchemas = new WeakMap<z.ZodType, z.ZodType>()

function strictOf(schema: z.ZodType): z.ZodType {
  const known = strictSchemas.get(schema)
  if (known) return known
  const strict = schema instanceof z.ZodObject ? schema.strict() : schema
  strictSchemas.set(schema, strict)
  return strict
}

/** @throws {ApiError} */
export function parseBody(body: string | undefined): unknown {
  try {
    return JSON.parse(body ?? '')
  } catch {
    throw badRequest('The body must be valid JSON.')
  }
}

/** Parse a query string. Each parameter may occur once. @throws {ApiError} */
export function parseQuery(searchParams: URLSearchParams): Record<string, string> {
  // Without a prototype, __proto__ is a name like any other.
  const query: Record<string, string> = Object.create(null)
  for (const [name, value] of searchParams) {
    if (Object.hasOwn(query, name)) throw badRequest(`query.${name} must not be repeated.`)
    query[name] = value
  }
  return query
}
