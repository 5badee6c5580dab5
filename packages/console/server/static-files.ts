import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join, relative, sep } from 'node:path'
import { attempt } from '@pith-mcp/base/attempt'
import { RejectedError, type Route } from '@pith-mcp/server-kit'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}
/** In order of preference. */
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/**
 * Reply with the file at a path. Requests for HTML get index.html, which routes on the client. Returns
 * false, without a reply, if there is no such file.
 */
type ServeFile = (path: string, request: IncomingMessage, response: ServerResponse) => boolean

/** Serves the files that a folder has now. Files added later are not served. */
export function createStaticFiles(folder: string): ServeFile {
  const names = new Set(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')),
  )
  const read = new Map<string, Buffer>()

  function contentOf(name: string): Buffer {
    const content = read.get(name) ?? readFileSync(join(folder, name))
    read.set(name, content)
    return content
  }

  const isServed = (path: string): boolean => names.has(path.slice(1)) && !/\.(?:br|gz)$/.test(path)

  return (requested, { headers, method }, response) => {
    const path = decodedPath(requested)
    const isAsset = path.startsWith('/assets/')
    const isPage = path === '/' || (!isAsset && /\btext\/html\b/.test(headers.accept ?? ''))
    if (!isServed(path) && !isPage) return false
    const name = isServed(path) ? path.slice(1) : 'index.html'
    const accepted = String(headers['accept-encoding'] ?? '')
    // index.html is rewritten for its path. It is too small to gain from compression.
    const isRewritten = name === 'index.html'
    const [encoding, ending] =
      (isRewritten
        ? undefined
        : encodings.find(([word, end]) => accepted.includes(word) && names.has(name + end))) ?? []
    const file = contentOf(name + (ending ?? ''))
    const content = isRewritten ? pageAt(requested, file) : file
    response.writeHead(200, {
      'content-type': types[extname(name)] ?? 'application/octet-stream',
      'content-length': content.length,
      // The names of assets change with their content.
      'cache-control': isAsset ? 'public, max-age=31536000, immutable' : 'no-cache',
      vary: 'accept-encoding',
      ...(encoding && { 'content-encoding': encoding }),
    })
    response.end(method === 'HEAD' ? undefined : content)
    return true
  }
}

/** The page with links to assets relative to `path`, so that a proxy may strip a prefix. */
function pageAt(path: string, page: Buffer): Buffer {
  const up = '../'.repeat(Math.max(0, path.split('/').length - 2)) || './'
  return Buffer.from(page.toString().replaceAll('="./', `="${up}`))
}

/** Invalid escapes lead to the first page. */
const decodedPath = (path: string): string => attempt(() => decodeURIComponent(path), '/')

/** The pages of the console: all paths except those of the APIs. */
export function staticRoute(folder: string, notFoundText: string): Route {
  const serve = createStaticFiles(folder)
  return {
    name: 'console',
    matches: (path) => !/^\/(?:api|mcp|metrics|\.well-known)(?:\/|$)/.test(path),
    // Other methods come from MCP clients with a wrong path.
    scope: (method) => (isRead(method) ? 'public' : 'mcp'),
    methods: ['GET', 'HEAD', 'POST', 'DELETE'],
    replies: 'page',
    handle(request, response) {
      const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
      if (!isRead(request.method) || !serve(path, request, response))
        throw new RejectedError('no_route', 404, notFoundText)
    },
  }
}

const isRead = (method: string | undefined): boolean => method === 'GET' || method === 'HEAD'
