import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { archiveOf, packed } from './packed.ts'

/** A registry on loopback that has what was packed, as if it had been published. */
export async function startRegistry() {
  const { installed } = packed
  const archives = Object.fromEntries(
    readdirSync(join(installed, 'node_modules/@pith-mcp')).map((name) => [name, archiveOf(name)]),
  )
  const server = createServer(({ url = '' }, response) => {
    const [, name = ''] = /^\/@pith-mcp(?:%2f|\/)([\w-]+)$/i.exec(url) ?? []
    const archive = Object.values(archives).find((path) => url === `/${basename(path)}`)
    if (archive) return void response.end(readFileSync(archive))
    const archiveThere = archives[name]
    if (!archiveThere) return void response.writeHead(404).end('{}')
    response.setHeader('content-type', 'application/json')
    const manifest = join(installed, 'node_modules/@pith-mcp', name, 'package.json')
    response.end(
      JSON.stringify(describe(manifest, archiveThere, `http://${response.req.headers.host}`)),
    )
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => new Promise((done) => server.close(done)),
  }
}

function describe(path: string, archive: string, origin: string): object {
  const manifest = JSON.parse(readFileSync(path, 'utf8'))
  const { name, version } = manifest
  const integrity = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
  const dist = { tarball: `${origin}/${basename(archive)}`, integrity }
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } }
}
