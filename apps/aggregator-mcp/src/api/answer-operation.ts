import type { Visitor } from '@pith-mcp/door'
import { z } from 'zod'
import type { ApiContext } from './operation/context.ts'
import { given, parsed, queryIn } from './operation/given.ts'
import type { Operation } from './operation/operation.ts'
import { ApiError } from './operation/problem.ts'
import { operations } from './operations/all-operations.ts'

export const basePath = '/api/v1'

export interface ApiRequest {
  method: string
  /** With the query. */
  url: string
  /** Undefined without one. */
  body: string | undefined
  visitor: Visitor
  signal: AbortSignal
}

interface Compiled {
  operation: Operation
  pattern: RegExp
}

const compiled: readonly Compiled[] = operations.map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}))

/** Do what is asked. Undefined where nothing is answered. @throws whatever `problemOf` can describe */
export async function answerOperation(
  { method, url, body, visitor, signal }: ApiRequest,
  context: ApiContext,
): Promise<unknown> {
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  const path = pathname.slice(basePath.length)
  const here = compiled.filter(({ pattern }) => pattern.test(path))
  const found = here.find(({ operation }) => operation.method === method.toLowerCase())
  if (found === undefined)
    throw here.length > 0
      ? new ApiError(405, 'bad_method', `${method} means nothing here.`)
      : new ApiError(
          404,
          'not_found',
          `There is nothing at ${pathname}.`,
          `GET ${basePath}/openapi.json lists all there is.`,
        )
  const { operation, pattern } = found
  const groups = pattern.exec(path)?.groups ?? {}
  const params = Object.fromEntries(
    Object.entries(groups).map(([name, text]) => [name, decoded(text)]),
  )
  const input = {
    params: operation.params && given(operation.params, params, 'path'),
    query: given(operation.query ?? nothing, queryIn(searchParams), 'query'),
    body: operation.body && given(operation.body, parsed(body), 'body'),
    visitor,
    signal,
  }
  return operation.run(input, context)
}

const nothing = z.object({})

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new ApiError(400, 'bad_request', 'The path is not encoded as it has to be.')
  }
}
