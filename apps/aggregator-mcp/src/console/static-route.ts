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
      if (!isRead(request.method) || !files.serve(pathOf(request.url ?? '/'), request, response))
        throw new RefusedError('no_route', 404, nothingHere)
    },
  }
}

const isRead = (method: string | undefined): boolean => method === 'GET' || method === 'HEAD'

/** Addresses that mean nothing are those of the first page. */
function pathOf(target: string): string {
  try {
    return decodeURIComponent(target.split('?', 1)[0] ?? '/')
  } catch {
    return '/'
  }
}
