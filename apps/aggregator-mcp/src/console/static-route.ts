import { RefusedError, type Route } from '@pith-mcp/door'
import { nothingHere } from '../http/admit.ts'
import { createStaticFiles } from './static-files.ts'

/** The pages of the console; all other addresses but those of machines are theirs too. */
export function staticRoute(folder: string): Route {
  const files = createStaticFiles(folder)
  return {
    name: 'console',
    matches: (path) => !/^\/(?:api|mcp|metrics|\.well-known)(?:\/|$)/.test(path),
    // Whatever else comes here is a client that looks for MCP.
    scope: (method) => (isRead(method) ? 'public' : 'mcp'),
    replies: 'page',
    handle(request, response) {
      const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
      if (!isRead(request.method) || !files.serve(path, request, response))
        throw new RefusedError('no_route', 404, nothingHere)
    },
  }
}

const isRead = (method: string | undefined): boolean => method === 'GET' || method === 'HEAD'
