import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join, relative, sep } from 'node:path'

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
/** The better first. */
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** The files of a folder, as they were when it began: what is not among them is not served. */
export interface StaticFiles {
  /**
   * Answer with a file, by its path as it was asked for; for a browser that wants a page with the one
   * there is, which knows its own addresses. Whether there is anything to answer.
   */
  serve(path: string, request: IncomingMessage, response: ServerResponse): boolean
}

export function createStaticFiles(folder: string): StaticFiles {
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

  const isShown = (path: string): boolean => names.has(path.slice(1)) && !/\.(?:br|gz)$/.test(path)

  return {
    serve(asked, { headers, method }, response) {
      const path = decoded(asked)
      const isAsset = path.startsWith('/assets/')
      const isPage = path === '/' || (!isAsset && /\btext\/html\b/.test(headers.accept ?? ''))
      if (!isShown(path) && !isPage) return false
      const name = isShown(path) ? path.slice(1) : 'index.html'
      const accepted = String(headers['accept-encoding'] ?? '')
      // The page is written for where it stands, and short.
      const isWritten = name === 'index.html'
      const [encoding, ending] =
        (isWritten
          ? undefined
          : encodings.find(([word, end]) => accepted.includes(word) && names.has(name + end))) ?? []
      const file = contentOf(name + (ending ?? ''))
      const content = isWritten ? pageAt(asked, file) : file
      response.writeHead(200, {
        'content-type': types[extname(name)] ?? 'application/octet-stream',
        'content-length': content.length,
        // Names of assets change with what is in them.
        'cache-control': isAsset ? 'public, max-age=31536000, immutable' : 'no-cache',
        vary: 'accept-encoding',
        ...(encoding && { 'content-encoding': encoding }),
      })
      response.end(method === 'HEAD' ? undefined : content)
      return true
    },
  }
}

/**
 * The page for its place: its files are named from there, so that it may stand under a prefix that a
 * proxy takes off.
 */
function pageAt(path: string, page: Buffer): Buffer {
  const up = '../'.repeat(Math.max(0, path.split('/').length - 2)) || './'
  return Buffer.from(page.toString().replaceAll('="./', `="${up}`))
}

/** Addresses that mean nothing are those of the first page. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return '/'
  }
}
