import type { Principal } from '@pith-mcp/server-kit'
import { actorOf } from './actor-of.ts'
import type { Api, ApiOperation } from './api.ts'
import { parseBody, parseQuery } from './problem.ts'
import { badRequest, RequestError } from './request-error.ts'

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

/** Finds the operations of paths, and runs those of requests. */
export function answerOperations<Row extends ApiOperation>({
  operations,
  perform,
}: Pick<Api<Row>, 'operations' | 'perform'>) {
  const compiled = operations.map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
  }))

  const operationsAt = (path: string): typeof compiled =>
    path.startsWith(`${basePath}/`)
      ? compiled.filter(({ pattern }) => pattern.test(path.slice(basePath.length)))
      : []

  return {
    /** The methods of a path; where there is nothing, those of all. */
    methodsAt(path: string): readonly string[] {
      const matches = operationsAt(path)
      const those = matches.length > 0 ? matches : compiled
      return [...new Set(those.map(({ operation }) => operation.method.toUpperCase()))]
    },
    /** Run the operation of a request. Undefined if it has no reply. @throws errors that `problemOf` describes */
    async answer({ method, url, body, principal, signal }: ApiRequest): Promise<unknown> {
      const { pathname, searchParams } = new URL(url, 'http://localhost')
      // The route takes every path below /api, and the methods that `methodsAt` names.
      const match = operationsAt(pathname).find(
        ({ operation }) => operation.method === method.toLowerCase(),
      )
      if (match === undefined)
        throw new RequestError({
          status: 404,
          code: 'not_found',
          message: `There is nothing at ${pathname}.`,
          remedy: `GET ${basePath}/openapi.json lists all operations.`,
        })
      const { operation, pattern } = match
      const groups = pattern.exec(pathname.slice(basePath.length))?.groups ?? {}
      const parts = {
        params: Object.fromEntries(
          Object.entries(groups).map(([name, text]) => [name, decodedPath(text)]),
        ),
        query: parseQuery(searchParams),
        ...(operation.body && { body: parseBody(body) }),
      }
      const value = await perform(operation, parts, { ...actorOf(principal), principal, signal })
      return operation.answer && value
    },
  }
}

function decodedPath(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw badRequest('The path has an invalid percent-encoding.')
  }
}
