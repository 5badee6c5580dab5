import { AggregatorError } from '#servers/protocol/aggregator-error'
import type { Remedies } from '#servers/protocol/remedies'
import type { Session } from '#servers/protocol/request-context'
import { qualifiedName, type ServerAccount } from '#servers/protocol/server-account'
import type { Instance } from './instance.ts'

/** Controls running servers by unit name. Active calls always finish. */
export type ServerControl = ReturnType<typeof createServerControl>

/** A subscription at an instance. */
export interface Subscription {
  uri: string
  /** The URI by which the client knows the resource. */
  alias: string
  session: Session
  instance: Instance
}

interface ServerControlOptions {
  /** Ends the unit's instances after their active calls. Returns their subscriptions. */
  retire(name: string): Subscription[]
  /** Subscribes again at the new instance. */
  follow(followed: Subscription): void
  startServer: Remedies['startServer']
}

export function createServerControl({ retire, follow, startServer }: ServerControlOptions) {
  /** Stopped units, with the subscriptions to restore. */
  const halted = new Map<string, Subscription[]>()

  function restart(name: string): void {
    const followed = retire(name)
    const queue = halted.get(name)
    if (queue) queue.push(...followed)
    else for (const subscription of followed) follow(subscription)
  }

  return {
    /** New calls get a fresh instance. */
    restart,
    /** Rejects new calls until `start`. */
    stop(name: string) {
      if (!halted.has(name)) halted.set(name, [])
      restart(name)
    },
    /** Accepts calls again. */
    start(name: string) {
      const followed = halted.get(name) ?? []
      halted.delete(name)
      for (const subscription of followed) follow(subscription)
    },
    isStopped: (name: string) => halted.has(name),
    remove(name: string) {
      halted.delete(name)
      retire(name)
    },
    /** @throws {AggregatorError} `upstream_down` for a stopped unit */
    check(unit: ServerAccount) {
      const name = qualifiedName(unit)
      if (!halted.has(name)) return
      throw new AggregatorError(
        'upstream_down',
        `The server ${name} was stopped.`,
        `Other servers are not affected. ${startServer(name)}`,
      )
    },
  }
}
