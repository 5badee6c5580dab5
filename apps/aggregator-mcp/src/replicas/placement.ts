import type { IncomingMessage } from 'node:http'
import {
  type AggregatorOptions,
  connectToReplica,
  type DoorRequest,
  type Lease,
  ServerDoor,
  unitName,
} from '@pith-mcp/aggregator'
import { RejectedError, type Route, readBody } from '@pith-mcp/server-kit'
import type { Engines } from '../engines/engines.ts'
import { isProof, proofOf } from './replica-proof.ts'

const path = '/replica'
const maxBytes = 64 * 1024 * 1024
const maxBodyMs = 60_000

type Placed = NonNullable<AggregatorOptions['placed']>

/** The scheme of the credential of replicas; no other credential has it. */
const scheme = 'Replica '
const message = 'replica'

/**
 * Runs a server with `"per": "cluster"` in one replica, which holds its lease; the others use it
 * there. Without Redis, or if that replica cannot be reached, it cannot be used elsewhere.
 */
export function placedBy({ cache, shared, replica }: Engines): Placed | undefined {
  if (cache === undefined || shared === undefined) return undefined
  const { leases } = cache
  /** Of servers that run here, with the number of their connections. */
  const held = new Map<string, { lease: Lease; users: number }>()

  return (own) => async (options) => {
    const { server } = options
    if (server.per !== 'cluster') return own(options)
    const name = `server ${unitName(server)}`
    const known = held.get(name)
    const lease = known?.lease.isHeld() ? known.lease : await leases.acquire(name, replica)
    if (lease === undefined) {
      leases.forget(name)
      const holder = await leases.holderOf(name)
      const address = holder && (await leases.holderOf(`replica ${holder}`))
      if (!address) throw new Error('the replica that runs it cannot be reached')
      const headers = { authorization: scheme + proofOf(shared.key, message) }
      return connectToReplica({ url: `${address}${path}`, headers }, options)
    }
    const entry = known?.lease === lease ? known : { lease, users: 0 }
    held.set(name, entry)
    entry.users++
    const leave = (): void => {
      entry.users--
      if (entry.users > 0) return
      held.delete(name)
      void lease.release()
    }
    const connection = await own(options).catch((error: unknown) => {
      leave()
      throw error
    })
    // Another replica may have taken it over, after a failure of Redis: there must be one only.
    const timer = setInterval(() => {
      if (!lease.isHeld()) void connection.close()
    }, 1_000).unref()
    void connection.closed.then(() => {
      clearInterval(timer)
      leave()
    })
    return connection
  }
}

/** Where other replicas use the servers that run here. */
export function replicaRoute(
  { shared }: Engines,
  aggregator: ConstructorParameters<typeof ServerDoor>[0],
): { route: Route; door: ServerDoor } | undefined {
  if (shared === undefined) return undefined
  const door = new ServerDoor(aggregator)
  const isReplica = ({ headers: { authorization = '' } }: IncomingMessage): boolean =>
    authorization.startsWith(scheme) &&
    isProof(authorization.slice(scheme.length), shared.key, message)
  const route: Route = {
    name: 'replica',
    scope: 'public',
    methods: ['POST'],
    replies: 'own',
    matches: (one) => one === path,
    isStream: () => true,
    async handle(request, response) {
      if (!isReplica(request)) throw new RejectedError('no_route', 404, 'There is no such page.')
      const body = await readBody(request, { bytes: maxBytes, ms: maxBodyMs })
      await door.answer(JSON.parse(body.toString()) as DoorRequest, response)
    },
  }
  return { route, door }
}
