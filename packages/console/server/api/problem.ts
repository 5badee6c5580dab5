import { AggregatorError } from '@pith-mcp/aggregator'
import { HttpEndpointError } from '@pith-mcp/server-kit'
import { AddError } from '@pith-mcp/server-kit/clients'
import { FileRefused } from '@pith-mcp/server-kit/files'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { z } from 'zod'
import type { Api } from './api.ts'
import { badRequest, type Problem, RequestError } from './request-error.ts'

const statusOf: Readonly<Record<string, number>> = {
  bad_config: 400,
  bad_argument: 400,
  unknown_module: 404,
  unknown_tool: 404,
  unknown_account: 404,
  unknown_result: 404,
  unknown_approval: 404,
  call_denied: 403,
  approval_refused: 403,
  needs_approval: 409,
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
  { isProblem, redact }: Pick<Api, 'isProblem' | 'redact'>,
): z.output<typeof problem> {
  const { status, code, message, remedy } =
    error instanceof RequestError || isProblem(error) ? error : asProblem(error)
  return { title: redact(message), status, code, ...(remedy && { remedy: redact(remedy) }) }
}

function asProblem(error: unknown): Problem {
  const { name, message } = error as Error
  if (error instanceof AggregatorError)
    return {
      status: statusOf[error.code] ?? 500,
      code: error.code,
      message,
      remedy: error.remedy,
    }
  if (error instanceof UsageError || error instanceof FileRefused) return badRequest(message)
  if (error instanceof AddError) return { status: 409, code: error.code, message }
  if (error instanceof HttpEndpointError)
    return { status: error.code === 'name_taken' ? 409 : 400, code: error.code, message }
  // Deeply nested values overflow the stack.
  if (error instanceof RangeError)
    return badRequest('A value is nested too deeply, or out of range.')
  if (name === 'TimeoutError' || name === 'AbortError')
    return { status: 504, code: 'timeout', message: 'The operation timed out.' }
  return { status: 500, code: 'failed', message: message || 'The operation failed.' }
}

/** The body of an error reply (RFC 9457). */
export const problem = z
  .object({
    title: z.string().describe('What went wrong, with the value.'),
    status: z.int(),
    code: z.string(),
    remedy: z.string().optional().describe('How to fix it.'),
  })
  .meta({ id: 'Problem' })

/** @throws {RequestError} */
export function parseBody(body: string | undefined): unknown {
  try {
    return JSON.parse(body ?? '')
  } catch {
    throw badRequest('The body must be valid JSON.')
  }
}

/** Parse a query string. Each parameter may occur once. @throws {RequestError} */
export function parseQuery(searchParams: URLSearchParams): Record<string, string> {
  // Without a prototype, __proto__ is a name like any other.
  const query: Record<string, string> = Object.create(null)
  for (const [name, value] of searchParams) {
    if (Object.hasOwn(query, name)) throw badRequest(`query.${name} must not be repeated.`)
    query[name] = value
  }
  return query
}
