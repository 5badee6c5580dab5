import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'

const types = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml',
}

/**
 * Serve a folder on 127.0.0.1 below `path`, like a static file host; port 0 picks a free port.
 *
 * @param {{ folder: string, path?: string, port?: number, onRequest?: (path: string) => void }} options
 */
export async function serveSite({ folder, path = '/', port = 0, onRequest = () => {} }) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
    onRequest(pathname)
    const name = pathname.startsWith(path) ? pathname.slice(path.length) : ''
    const file = await read(name === '' || name.endsWith('/') ? `${name}index.html` : name)
    const found = file ?? (await read('404.html'))
    response.writeHead(file ? 200 : 404, { 'content-type': types[found?.ending ?? '.txt'] })
    response.end(request.method === 'HEAD' ? undefined : found?.bytes)
  })
  await new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(undefined))
  })
  return {
    url: `http://127.0.0.1:${server.address().port}${path}`,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }

  async function read(name) {
    const inside = normalize(join('/', decode(name)))
    const bytes = await readFile(join(folder, inside)).catch(() => undefined)
    const ending = extname(inside) in types ? extname(inside) : '.txt'
    return bytes && { bytes, ending }
  }
}

function decode(name) {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
