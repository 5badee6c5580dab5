import { RejectedError, type Route } from '@pith-mcp/server-kit'
import { notFoundText } from '../http/authorize-profile.ts'
import { createStaticFiles } from './static-files.ts'

/** The pages of the console: all paths except those of the APIs. */
export function staticRoute(folder: string): Route {
  const serve = createStaticFiles(folder)
  return {
    name: 'console',
    matches: (path) => !/^\/(?:api|mcp|metrics|\.well-known)(?:\/|$)/.test(path),
    // Other methods come from MCP clients with a wrong path.
    scope: (method) => (isRead(method) ? 'public' : 'mcp'),
    replies: 'page',
    handle(request, response) {
      const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
      if (!isRead(request.method) || !serve(path, request, response))
        throw new RejectedError('no_route', 404, notFoundText)
    },
  }
}

const isRead = (method: string | undefined): boolean => method === 'GET' || method === 'HEAD'
