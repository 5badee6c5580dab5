import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { replicaOf, sessionKey } from '@pith-mcp/aggregator'
import {
  type Authenticator,
  clientAddress,
  type HttpEndpointOptions,
  noteClient,
  openHttpEndpoint,
  type Principal,
  RejectedError,
  type Route,
} from '@pith-mcp/server-kit'
import { UsageError } from '@pith-mcp/server-kit/settings'
import type { Signer } from '#base/signer'
import type { Engines } from '../engines/engines.ts'
import { type Lease, type Leases, replicaClock } from '../redis/leases.ts'
import { createEnvelopes, hashOf, type Passed } from './envelope.ts'
import { answerGone, answerLater, beatMs, isEventStream, passOn } from './pass-on.ts'

/** What replicas know of each other, and how they pass requests on. */
export type ReplicaDirectory = NonNullable<ReturnType<typeof createReplicaDirectory>>

export interface ReplicaSettings {
  http: string
  replicaUrl?: string | undefined
  replicaListen?: string | undefined
  tlsCert?: string | undefined
}

type Listening = Pick<HttpEndpointOptions, 'tls' | 'onLog' | 'onRejected' | 'onError' | 'routes'>

const nameOf = (replica: string): string => `replica ${replica}`
/** Of requests that need no credential. */
const withoutCredential: Principal = { kind: 'anyone', scopes: new Set(['mcp']) }
/** Reasons that are logged, each once. */
const maxReported = 20
/** As large as those of clients, and an envelope. */
const headerBytes = 32 * 1024
/** Milliseconds for which a name may be taken: longer than the lease of a process that was killed. */
const takenMs = 6_000
const lookMs = 500

/**
 * The directory of replicas in Redis; undefined unless both engines are configured.
 * @throws {UsageError} for an invalid address
 */
export function createReplicaDirectory(
  { cache, replica, writer, shared, key }: Engines,
  settings: ReplicaSettings,
  onLog: (text: string) => void,
) {
  if (cache === undefined || shared === undefined) return undefined
  const { leases } = cache
  const addresses = addressesOf(settings)
  const { envelopes, received, authenticatorOf } = createArrivals(key.signer('forward'), writer)
  let release = async (): Promise<void> => {}
  let endpoint: Awaited<ReturnType<typeof openHttpEndpoint>> | undefined
  const report = createReport(onLog)

  return {
    /**
     * Listens for requests that other replicas pass on, and tells them where. @throws {UsageError} if
     * another one has the name, and as `openHttpEndpoint`
     */
    async enter(authenticator: Authenticator, { routes, ...options }: Listening): Promise<void> {
      const hosts = [addresses.url(0).hostname]
      const bounds = { headerBytes }
      const address = addresses.listen
      endpoint = await openHttpEndpoint({
        ...options,
        ...{ address, hosts, bounds },
        authenticator: { ...authenticator, ...authenticatorOf(authenticator, routes) },
        routes: routes.map(withBeats),
      })
      const text = `${addresses.url(endpoint.port).origin}/#${writer}`
      release = await keepLease(leases, { name: nameOf(replica), text }, onLog)
    },
    /**
     * Passes a request on to the replica that has its session, suspended request or task. Resolves to
     * false if it belongs here; answers by itself if that replica is gone, or where it is cannot be looked up.
     */
    async forward(
      request: IncomingMessage,
      response: ServerResponse,
      body?: unknown,
      principal?: Principal,
    ): Promise<boolean> {
      const owner = ownerOf(request, body)
      // Nothing is passed on twice.
      if (owner === undefined || owner === replica || received.has(request)) return false
      const name = nameOf(owner)
      // It is looked up again if it was started again since.
      for (let last: string | undefined; ; leases.forget(name)) {
        const holder = await leases.holderOf(name)
        if (holder === undefined || holder.text === last) break
        last = holder.text
        const text = body === undefined ? undefined : JSON.stringify(body)
        const at = replicaClock() + holder.ahead
        const client = clientAddress(request)
        // The process: one that was started again has not seen which envelopes were opened.
        const to = new URL(holder.text).hash.slice(1)
        const passed = { to, at, client, principal, body: hashOf(text ?? '') }
        const headers = envelopes.seal(request, passed) as OutgoingHttpHeaders
        const isHeld = async (): Promise<boolean> => (await leases.holderOf(name)) !== undefined
        const outgoing = { request, response, body, text, headers, isHeld }
        const problem = await passOn(holder.text, outgoing)
        if (problem === undefined) return true
        report(owner, problem)
      }
      if (leases.isUnknown(name)) answerLater(response, body)
      else answerGone(request, response, body)
      return true
    },
    /** @throws {RejectedError} 403 for another body than that which a replica has signed */
    checkBody(request: IncomingMessage, bytes: Buffer): void {
      const passed = received.get(request)
      if (passed !== undefined && passed.body !== hashOf(bytes))
        throw new RejectedError('envelope', 403, 'The body is not that of the envelope.')
    },
    async leave(): Promise<void> {
      await release()
      await endpoint?.close()
    },
  }
}

/**
 * Holds a lease, and takes it again after a failure of Redis. Resolves to what ends it. That of a
 * process before this one, which was killed, is waited for. @throws {UsageError} if it stays with another
 */
async function keepLease(
  leases: Leases,
  { name, text }: { name: string; text: string },
  onLog: (text: string) => void,
): Promise<() => Promise<void>> {
  let lease: Lease | undefined
  /** Resolves to whether another process has it. */
  const isTaken = async (): Promise<boolean> => {
    if (lease?.isHeld()) return false
    lease = await leases.acquire(name, text)
    if (lease !== undefined) return false
    const holder = await leases.holderOf(name)
    return holder !== undefined && holder.text !== text
  }
  const until = performance.now() + takenMs
  while (await isTaken()) {
    if (performance.now() > until)
      throw new UsageError(`PITH_REPLICA_NAME: a ${name} is running. Each needs a name of its own.`)
    await sleep(lookMs)
  }
  let isReported = false
  const acquire = async (): Promise<void> => {
    const isLost = await isTaken()
    if (isLost && !isReported)
      onLog(`Another process is ${name} as well, and gets what others pass on to it. End one.`)
    isReported = isLost
  }
  const timer = setInterval(() => void acquire(), 1_000).unref()
  return async () => {
    clearInterval(timer)
    await lease?.release()
  }
}

/** Logs each reason once. */
function createReport(onLog: (text: string) => void) {
  const reported = new Set<string>()
  return (owner: string, why: string): void => {
    if (reported.has(why) || reported.size >= maxReported) return
    reported.add(why)
    onLog(`Replica ${owner} did not take a request that was passed on: ${why.slice(0, 200)}.`)
  }
}

/** What other replicas pass on. */
function createArrivals(signer: Signer, replica: string) {
  const envelopes = createEnvelopes(signer, replica)
  /** What came with requests. */
  const received = new WeakMap<IncomingMessage, Passed>()
  /** Accepts whom another replica has proven, as far as it is accepted here. */
  const authenticatorOf = (
    { recognise, isStillValid }: Authenticator,
    routes: readonly Route[],
  ): Pick<Authenticator, 'requiresAuth' | 'authenticate' | 'isStillValid'> => ({
    requiresAuth: () => true,
    authenticate(request) {
      const passed = envelopes.open(request)
      received.set(request, passed)
      noteClient(request, passed.client)
      if (passed.principal) return recognise(passed.principal)
      const path = request.url?.split('?')[0] ?? ''
      if (routes.some((route) => route.scope === 'public' && route.matches(path)))
        return withoutCredential
      throw new RejectedError('no_credential', 403, 'A principal is required.')
    },
    isStillValid: (principal) => principal === withoutCredential || isStillValid(principal),
  })

  return { envelopes, received, authenticatorOf }
}

/** Shows the other replica that this one works on its request. */
const withBeats = (route: Route): Route => ({
  ...route,
  scope: 'mcp',
  handle(request, response, principal) {
    // Node tells of headers only if one was set before the head is written.
    response.setHeader('x-accel-buffering', 'no')
    const beating = setInterval(() => {
      if (!response.headersSent) response.writeProcessing()
      // A comment, between two events: each is written whole.
      else if (isEventStream(response.getHeader('content-type'))) response.write(':\n\n')
    }, beatMs)
    response.once('close', () => clearInterval(beating))
    return route.handle(request, response, principal)
  },
})

/**
 * Where this replica listens for others, and the URL they get. Without PITH_REPLICA_LISTEN it is a
 * port of the host of --http: that of PITH_REPLICA_URL, or one that the system chooses, as for an URL
 * with the port of --http, which served both in earlier versions. @throws {UsageError}
 */
function addressesOf({ http, replicaUrl, replicaListen, tlsCert }: ReplicaSettings) {
  if (replicaUrl !== undefined && !(/^https?:\/\//.test(replicaUrl) && URL.canParse(replicaUrl)))
    throw new UsageError('PITH_REPLICA_URL must be the http or https URL of this replica.')
  const [, host = '127.0.0.1:', port = ''] = /^(.+:)?(\d*)$/.exec(http) ?? []
  const base = new URL(replicaUrl ?? `${tlsCert === undefined ? 'http' : 'https'}://${hostname()}`)
  const ownPort = base.port || (base.protocol === 'https:' ? '443' : '80')
  const isOwnPort = replicaUrl !== undefined && ownPort !== port
  return {
    listen: replicaListen ?? `${host}${isOwnPort ? ownPort : 0}`,
    url(real: number): URL {
      const url = new URL(base)
      if (!isOwnPort) url.port = String(real)
      return url
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
