import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Authenticator, Principal, Route } from '@pith-mcp/server-kit'
import { onTestFinished } from 'vitest'
import { createReplicaDirectory } from '../../../../packages/replicas/src/directory/replica-directory.ts'
import { readClusterKey } from '../../../../packages/replicas/src/engines/cluster-key.ts'
import { listening } from '../open/serve-here.ts'

export const clusterKey = (fill: number): string => Buffer.alloc(32, fill).toString('base64')

type Settings = Parameters<typeof createReplicaDirectory>[1]

interface OneReplica {
  key?: string
  /** Texts of leases by name, as all replicas see them. */
  leases?: Map<string, string>
  settings?: Partial<Settings>
  tls?: { cert: string; key: string }
  /** Whoever is valid here, as it is known here. */
  recognise?: (found: Principal) => Principal
  /** Redis does not answer. */
  isUnknown?: boolean
  handle?: (request: IncomingMessage, response: ServerResponse, principal: Principal) => void
}

/** A replica without engines, and a listener for clients that passes requests on. */
export async function openReplica(replica: string, options: OneReplica = {}) {
  const { key = clusterKey(1), leases = new Map<string, string>(), settings, tls } = options
  const { recognise = (found) => found, handle = (_request, response) => void response.end() } =
    options
  const engines = {
    replica,
    writer: replica,
    key: readClusterKey(key),
    shared: {},
    cache: {
      leases: {
        async acquire(name: string, text: string) {
          leases.set(name, text)
          return { isHeld: () => true, release: async () => void leases.delete(name) }
        },
        async holderOf(name: string) {
          const text = leases.get(name)
          return text === undefined ? undefined : { text, ahead: 0 }
        },
        isUnknown: () => options.isUnknown === true,
        forget() {},
      },
    },
  }
  const logs: string[] = []
  const rejections: string[] = []
  const onLog = (text: string): void => void logs.push(text)
  const http = '127.0.0.1:0'
  const directory = createReplicaDirectory(engines as never, { http, ...settings } as never, onLog)
  if (directory === undefined) throw new Error('There are no engines.')
  const authenticator = { recognise, isStillValid: () => true, challenge: () => 'Bearer' }
  const route = (path: string, scope: Route['scope']): Route => ({
    name: path,
    scope,
    replies: 'own',
    methods: ['GET', 'POST'],
    matches: (requested) => requested === path,
    async handle(request, response, principal) {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      directory.checkBody(request, Buffer.concat(chunks))
      handle(request, response, principal)
    },
  })
  await directory.enter(authenticator as unknown as Authenticator, {
    routes: [route('/mcp', 'mcp'), route('/callback', 'public')],
    tls,
    onLog,
    onRejected: ({ reason, status }) => rejections.push(`${status} ${reason}`),
    onError: (error) => logs.push(String(error)),
  })
  onTestFinished(() => directory.leave())
  /** What a client reaches. */
  const port = await listening(
    createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const text = Buffer.concat(chunks).toString()
      const body = text === '' ? undefined : JSON.parse(text)
      const { pathname } = new URL(request.url ?? '', 'http://x')
      const ada: Principal = { kind: 'token', id: '1', name: 'ada', scopes: new Set(['mcp']) }
      const principal = pathname === '/mcp' ? ada : undefined
      if (!(await directory.forward(request, response, body, principal))) response.end('here')
    }),
  )
  const address = leases.get(`replica ${replica}`)?.split('/#')[0] ?? ''
  return { directory, address, logs, rejections, url: `http://127.0.0.1:${port}`, leases }
}
