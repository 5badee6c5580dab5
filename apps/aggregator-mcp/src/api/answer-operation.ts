import type { Principal } from '@pith-mcp/server-kit'
import { actorOf } from '../open/record-admin.ts'
import { operations } from '../operations/all-operations.ts'
import type { OperationContext } from '../operations/context.ts'
import { perform } from '../operations/perform.ts'
import { ApiError, badRequest } from '../operations/problem.ts'
import { parseBody, parseQuery } from './problem.ts'

export const basePath = '/api/v1'

export interface ApiRequest {
  method: string
  /** The path with the query. */
  url: string
  /** Undefined for requests without a body. */
  body: string | undefined
  principal: Principal
  signal: AbortSignal
}

const compiled = operations.map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}))

const operationsAt = (path: string): typeof compiled =>
  path.startsWith(`${basePath}/`)
    ? compiled.filter(({ pattern }) => pattern.test(path.slice(basePath.length)))
    : []

/** The methods of a path; where there is nothing, those of all. */
export function methodsAt(path: string): readonly string[] {
  const matches = operationsAt(path)
  const those = matches.length > 0 ? matches : compiled
  return [...new Set(those.map(({ operation }) => operation.method.toUpperCase()))]
}

/** Run the operation of a request. Undefined if it has no reply. @throws errors that `problemOf` describes */
export async function answerOperation(
  { method, url, body, principal, signal }: ApiRequest,
  context: OperationContext,
): Promise<unknown> {
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  // The route takes every path below /api, and the methods that `methodsAt` names.
  const match = operationsAt(pathname).find(
    ({ operation }) => operation.method === method.toLowerCase(),
  )
  if (match === undefined)
    throw new ApiError(
      404,
      'not_found',
      `There is nothing at ${pathname}.`,
      `GET ${basePath}/openapi.json lists all operations.`,
    )
  const { operation, pattern } = match
  const groups = pattern.exec(pathname.slice(basePath.length))?.groups ?? {}
  const parts = {
    params: Object.fromEntries(
      Object.entries(groups).map(([name, text]) => [name, decodedPath(text)]),
    ),
    query: parseQuery(searchParams),
    ...(operation.body && { body: parseBody(body) }),
  }
  const value = await perform(operation, parts, context, {
    ...actorOf(principal),
    principal,
    signal,
  })
  return operation.answer && value
}

function decodedPath(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw badRequest('The path has an invalid percent-encoding.')
  }
}
