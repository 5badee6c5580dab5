import {
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
  request as send,
} from 'node:http'
import { request as sendSecurely } from 'node:https'
import { hostname } from 'node:os'
import { type Lease, type Leases, replicaOf, sessionKey } from '@pith-mcp/aggregator'
import { clientAddress } from '@pith-mcp/server-kit'
import { UsageError } from '@pith-mcp/server-kit/settings'
import type { Engines } from '../engines/engines.ts'
import { isProof, proofOf } from '../proof.ts'

/** What replicas know of each other, and how they pass requests on. */
export type ReplicaDirectory = NonNullable<ReturnType<typeof createReplicaDirectory>>

/** The address of the client, proven by the key of the replicas. */
const clientHeader = 'x-pith-client'
/** Of one connection only; the length is that of the body that is sent. */
const ownHeaders = [
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'expect',
  'upgrade',
]
/** Milliseconds to connect to another replica. */
const connectMs = 2_000
const textFor = (client: string): string => `client ${client}`
const nameOf = (replica: string): string => `replica ${replica}`

/**
 * The directory of replicas in Redis; undefined unless both engines are configured.
 * @throws {UsageError} for an invalid address
 */
export function createReplicaDirectory(
  { cache, replica, shared }: Engines,
  settings: { replicaUrl?: string | undefined; tlsCert?: string | undefined },
) {
  if (cache === undefined || shared === undefined) return undefined
  const { leases } = cache
  const { key } = shared
  const { replicaUrl, tlsCert } = settings
  if (replicaUrl !== undefined && !/^https?:\/\//.test(replicaUrl))
    throw new UsageError('PITH_REPLICA_URL must be the http or https URL of this replica.')
  let lease: Lease | undefined
  let timer: NodeJS.Timeout | undefined

  /** The client of a request that another replica passed on. */
  function passedFor({ headers }: IncomingMessage): string | undefined {
    const [client = '', proof = ''] = String(headers[clientHeader] ?? '').split(' ')
    return isProof(proof, key, textFor(client)) ? client : undefined
  }

  return {
    /** Begins to tell others where this replica is reached. */
    async enter(port: number): Promise<void> {
      const scheme = tlsCert === undefined ? 'http' : 'https'
      const url = replicaUrl ?? `${scheme}://${hostname()}:${port}`
      const acquire = async (): Promise<void> => {
        if (lease?.isHeld()) return
        lease = await leases.acquire(nameOf(replica), url)
      }
      await acquire()
      // After a failure of Redis.
      timer = setInterval(() => void acquire(), 1_000).unref()
    },
    /**
     * Passes a request on to the replica that has its session, suspended request or task. Resolves to
     * false if it belongs here; answers by itself if that replica is gone.
     */
    async forward(
      request: IncomingMessage,
      response: ServerResponse,
      body: unknown,
    ): Promise<boolean> {
      const owner = ownerOf(request, body)
      if (owner === undefined || owner === replica) return false
      // The address of a replica that has ended may be ours now: nothing is passed on twice.
      const isPassed = passedFor(request) !== undefined
      const url = isPassed ? undefined : await addressOf(leases, owner)
      if (url === undefined) answerGone(request, response, body)
      else {
        const client = clientAddress(request)
        const headers = { [clientHeader]: `${client} ${proofOf(key, textFor(client))}` }
        if (!(await passOn(url, { request, response, body, headers }))) {
          leases.forget(nameOf(owner))
          answerGone(request, response, body)
        }
      }
      return true
    },
    /** The address of the client: that which another replica has seen, if it passed the request on. */
    clientOf(request: IncomingMessage): string {
      return passedFor(request) ?? clientAddress(request)
    },
    async leave(): Promise<void> {
      clearInterval(timer)
      await lease?.release()
    },
  }
}

/** The replica that a request belongs to: by its session, by what it continues, or by its sign-in. */
function ownerOf({ headers, url }: IncomingMessage, body: unknown): string | undefined {
  const { params } = (body ?? {}) as { params?: Record<string, unknown> }
  return (
    replicaOf(new URLSearchParams(url?.split('?')[1]).get('state')) ??
    replicaOf(headers['mcp-session-id']) ??
    replicaOf(params?.['requestState']) ??
    replicaOf(params?.['taskId']) ??
    replicaOf(Object(params?.['_meta'])[sessionKey])
  )
}

async function addressOf(leases: Leases, replica: string): Promise<string | undefined> {
  const url = await leases.holderOf(nameOf(replica))
  if (url === undefined) leases.forget(nameOf(replica))
  return url
}

interface Passed {
  request: IncomingMessage
  response: ServerResponse
  body: unknown
  headers: OutgoingHttpHeaders
}

/**
 * Sends a request to another replica, and its response to the client. False if it could not be
 * reached, so that nothing was done; a response that breaks off is broken off here, too.
 */
function passOn(base: string, { request, response, body, headers }: Passed): Promise<boolean> {
  const pairs = Object.entries(request.headers).filter(([name]) => !ownHeaders.includes(name))
  const options = { method: request.method, headers: { ...Object.fromEntries(pairs), ...headers } }
  const url = new URL(request.url ?? '/', base)
  return new Promise((resolve) => {
    const outgoing = (url.protocol === 'https:' ? sendSecurely : send)(url, options)
    const late = setTimeout(() => outgoing.destroy(new Error('no connection')), connectMs)
    let isSent = false
    outgoing.once('socket', (socket) => {
      const connected = (): void => {
        isSent = true
        clearTimeout(late)
      }
      const event = url.protocol === 'https:' ? 'secureConnect' : 'connect'
      if (socket.connecting) socket.once(event, connected)
      else connected()
    })
    outgoing.once('response', (incoming) => {
      response.writeHead(incoming.statusCode ?? 502, incoming.headers)
      // Streams begin with their head; else it is sent together with the body.
      if (incoming.headers['content-length'] === undefined) response.flushHeaders()
      incoming.pipe(response)
      incoming.once('error', () => response.destroy())
      incoming.once('aborted', () => response.destroy())
      resolve(true)
    })
    outgoing.once('error', () => {
      clearTimeout(late)
      if (isSent && !response.headersSent) answerLost(response, body)
      resolve(isSent)
    })
    response.once('close', () => outgoing.destroy())
    outgoing.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

const ended = {
  code: -32602,
  message:
    'The replica that ran this request has ended, and with it what was waiting. The call may have had effects; call again only if it can be repeated.',
  data: { reason: 'invalid_request_state' },
}

/** A session ends with its replica: its client initialises again. */
function answerGone({ headers }: IncomingMessage, response: ServerResponse, body: unknown): void {
  if (headers['mcp-session-id'] === undefined) answerError(response, body, 200, ended)
  else answerError(response, body, 404, { code: -32001, message: 'Session not found' })
}

const answerLost = (response: ServerResponse, body: unknown): void =>
  answerError(response, body, 200, {
    code: -32603,
    message:
      'The replica that ran this request ended before it answered. The call may have had effects and was not repeated.',
  })

function answerError(
  response: ServerResponse,
  body: unknown,
  status: number,
  error: { code: number; message: string; data?: object },
): void {
  const { id = null } = (body ?? {}) as { id?: unknown }
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ jsonrpc: '2.0', id, error }))
}
