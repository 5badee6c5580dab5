import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

const official = 'io.modelcontextprotocol.registry/official'

/** An entry of a registry, with the members of the schema 2025-12-11. */
export const listed = (server: object, meta: object = {}) => ({
  server: {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    description: 'Keeps notes',
    version: '1.2.0',
    repository: { url: 'https://code.example/notes', source: 'github' },
    ...server,
  },
  _meta: {
    [official]: {
      status: 'active',
      publishedAt: '2026-01-02T03:04:05Z',
      statusChangedAt: '2026-01-02T03:04:05Z',
      isLatest: true,
      ...meta,
    },
  },
})

export const npm = (name = '@acme/notes') => ({
  registryType: 'npm',
  registryBaseUrl: `https://${['registry', 'npmjs', 'org'].join('.')}`,
  identifier: name,
  version: '1.2.0',
  runtimeHint: 'npx',
  transport: { type: 'stdio' },
})

/** A package with a secret, a folder, and a remote with a variable and a secret in its header. */
export const notes = listed({
  name: 'com.acme/notes',
  title: 'Notes',
  packages: [
    {
      ...npm(),
      packageArguments: [
        {
          type: 'positional',
          valueHint: 'folder',
          description: 'Folder of the notes',
          format: 'filepath',
          isRequired: true,
          isRepeated: true,
        },
      ],
      environmentVariables: [
        { name: 'NOTES_TOKEN', description: 'Token', isRequired: true, isSecret: true },
        { name: 'NOTES_LEVEL', default: 'info', choices: ['info', 'debug'] },
      ],
    },
  ],
  remotes: [
    {
      type: 'streamable-http',
      url: 'https://{team}.notes.example/mcp',
      variables: { team: { description: 'Name of the team', isRequired: true } },
      headers: [
        {
          name: 'Authorization',
          value: 'Bearer {token}',
          isRequired: true,
          isSecret: true,
          variables: { token: { description: 'Token' } },
        },
      ],
    },
  ],
})

export interface StandIn {
  /** The reply to a path with its query, below `/v0.1/`; undefined for 404. */
  reply: (url: URL) => unknown
  /** Called before each reply. */
  before?: () => Promise<unknown>
}

/** A stand-in for a registry on loopback, until the test ends; and the paths that were requested. */
export async function startRegistry({ reply, before }: StandIn) {
  const paths: string[] = []
  const server = createServer(async (request, response) => {
    paths.push(request.url ?? '')
    await before?.()
    const answer = reply(new URL(request.url ?? '/', 'http://registry.test'))
    if (answer instanceof URL) return void response.writeHead(302, { location: answer.href }).end()
    if (typeof answer === 'number') return void response.writeHead(answer).end()
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(text ?? '{"error":"Server not found"}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths, close }
}

/** A registry of these entries: searched by a part of the name, in pages of two. */
export async function startListing(entries: readonly ReturnType<typeof listed>[], size = 2) {
  const registry = await startRegistry({
    reply({ pathname, searchParams }) {
      const [, , , name, , version] = pathname.split('/').map(decodeURIComponent)
      const nameOf = (entry: object) => (entry as { server: { name: string } }).server.name
      if (name !== undefined)
        return version === '9.9.9' ? undefined : entries.find((entry) => nameOf(entry) === name)
      const matches = entries.filter((entry) =>
        JSON.stringify(entry)
          .toLowerCase()
          .includes(searchParams.get('search') ?? ''),
      )
      const at = Number(searchParams.get('cursor') ?? 0)
      const servers = matches.slice(at, at + size)
      const nextCursor = at + size < matches.length ? String(at + size) : ''
      return { servers, metadata: { nextCursor, count: servers.length } }
    },
  })
  return registry
}

/** Ends a stand-in with the test. */
export function ending<T extends { close(): void }>(world: T): T {
  onTestFinished(() => world.close())
  return world
}
