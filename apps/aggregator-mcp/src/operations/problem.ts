import type { Principal, Scope } from '@pith-mcp/server-kit'
import { requirement } from '@pith-mcp/server-kit/tools'
import type { z } from 'zod'

/** An error reply of the API. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly remedy: string | undefined

  constructor(status: number, code: string, message: string, remedy?: string) {
    super(message)
    this.status = status
    this.code = code
    this.remedy = remedy
  }
}

export const badRequest = (message: string, remedy?: string): ApiError =>
  new ApiError(400, 'bad_request', message, remedy)

export const notFound = (what: string, remedy?: string): ApiError =>
  new ApiError(404, 'not_found', `There is no ${what}.`, remedy)

/** @throws {ApiError} 403 for a principal without the scope */
export function checkScope(scope: Scope, { scopes }: Principal): void {
  if (scopes.has(scope)) return
  throw new ApiError(
    403,
    'scope',
    `This requires the scope ${scope}.`,
    'Open the console with "aggregator-mcp console", or use a token that has the scope.',
  )
}

/** Validate a value against a schema. Unknown members are rejected. @throws {ApiError} */
export function validateInput(schema: z.ZodObject, value: unknown, where: string): Members {
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

const strictSchemas = new WeakMap<z.ZodObject, z.ZodObject>()

function strictOf(schema: z.ZodObject): z.ZodObject {
  const strict = strictSchemas.get(schema) ?? schema.strict()
  strictSchemas.set(schema, strict)
  return strict
}
