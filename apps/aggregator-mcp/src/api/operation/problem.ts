import { AggregatorError } from '@pith-mcp/aggregator'
import { HttpEndpointError } from '@pith-mcp/server-kit'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { requirement } from '@pith-mcp/server-kit/tools'
import { z } from 'zod'
import { named } from '../schemas/named.ts'

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

const statusOf: Readonly<Record<string, number>> = {
  bad_config: 400,
  bad_argument: 400,
  unknown_module: 404,
  unknown_tool: 404,
  unknown_account: 404,
  unknown_result: 404,
  needs_sign_in: 409,
  rate_limited: 429,
  budget_spent: 429,
  upstream_down: 502,
  upstream_closed: 502,
  upstream_refused: 502,
  journal_unwritable: 503,
}

/** The body of the reply for an error, with secrets redacted. */
export function problemOf(
  error: unknown,
  redact: (text: string) => string,
): z.output<typeof problem> {
  const { status, code, message, remedy } = asApiError(error)
  return { title: redact(message), status, code, ...(remedy && { remedy: redact(remedy) }) }
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const { name, message } = error as Error
  if (error instanceof AggregatorError)
    return new ApiError(statusOf[error.code] ?? 500, error.code, message, error.remedy)
  if (error instanceof UsageError) return badRequest(message)
  if (error instanceof HttpEndpointError)
    return new ApiError(error.code === 'name_taken' ? 409 : 400, error.code, message)
  // Deeply nested values overflow the stack.
  if (error instanceof RangeError)
    return badRequest('A value is nested too deeply, or out of range.')
  if (name === 'TimeoutError' || name === 'AbortError')
    return new ApiError(504, 'timeout', 'The operation timed out.')
  return new ApiError(500, 'failed', message || 'The operation failed.')
}

/** The body of an error reply (RFC 9457). */
export const problem = named('Problem', {
  title: z.string().describe('What went wrong, with the value.'),
  status: z.int(),
  code: z.string(),
  remedy: z.string().optional().describe('How to fix it.'),
})

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
