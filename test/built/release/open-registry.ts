import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Published {
  version: string
  /** Paths in the archive. */
  files: string[]
  /** The archive's package.json. */
  manifest: string
}

export interface Registry {
  url: string
  packages: ReadonlyMap<string, Published>
  close: () => Promise<void>
}

interface Publication {
  name: string
  versions: Record<string, unknown>
  _attachments: Record<string, { data: string }>
}

/** A registry of npm packages on loopback that has none, and takes all. */
export async function openRegistry(): Promise<Registry> {
  const packages = new Map<string, Published>()
  const server = createServer(async (request, response) => {
    response.setHeader('content-type', 'application/json')
    if (request.method !== 'PUT') {
      response.writeHead(404).end('{}')
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const sent: Publication = JSON.parse(Buffer.concat(chunks).toString())
    packages.set(sent.name, readPublication(sent))
    response.writeHead(201).end('{"ok":true}')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    packages,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

function readPublication({ versions, _attachments }: Publication): Published {
  const [version = ''] = Object.keys(versions)
  const [archive] = Object.values(_attachments)
  const input = Buffer.from(archive?.data ?? '', 'base64')
  const tar = (...args: string[]) => execFileSync('tar', args, { input, encoding: 'utf8' })
  return {
    version,
    files: tar('-tzf', '-')
      .trim()
      .split('\n')
      .map((path) => path.replace(/^package\//, '')),
    manifest: tar('-xzOf', '-', 'package/package.json'),
  }
}
