import { AggregatorError } from '../protocol/aggregator-error.ts'
import type { Session } from '../protocol/exchange.ts'
import { type Unit, unitName } from '../protocol/unit.ts'
import type { Instance } from './instances.ts'

/** What an owner does to servers while they run; names are of units. Calls under way always finish. */
export interface Steering {
  /** Nobody uses it any more, until it is let go. */
  halt(name: string): void
  /** It may be used again. */
  release(name: string): void
  isHalted(name: string): boolean
  /** What is called from now on is called at a fresh one. */
  renew(name: string): void
  /** It is no more. */
  forget(name: string): void
  /** @throws {AggregatorError} `upstream_down` for one that is halted */
  check(unit: Unit): void
}

interface Followed {
  uri: string
  session: Session
  instance: Instance
}

interface SteeringOptions {
  /** End its instances when their last call has its answer; what was followed at them. */
  retire(name: string): Followed[]
  /** Follow it at what takes the place of the instance. */
  follow(followed: Followed): void
}

export function createSteering({ retire, follow }: SteeringOptions): Steering {
  /** And what was followed there. */
  const halted = new Map<string, Followed[]>()

  function renew(name: string): void {
    const followed = retire(name)
    const kept = halted.get(name)
    if (kept) kept.push(...followed)
    else for (const one of followed) follow(one)
  }

  return {
    renew,
    halt(name) {
      if (!halted.has(name)) halted.set(name, [])
      renew(name)
    },
    release(name) {
      const followed = halted.get(name) ?? []
      halted.delete(name)
      for (const one of followed) follow(one)
    },
    isHalted: (name) => halted.has(name),
    forget(name) {
      halted.delete(name)
      retire(name)
    },
    check(unit) {
      const name = unitName(unit)
      if (!halted.has(name)) return
      throw new AggregatorError(
        'upstream_down',
        `The server ${name} was stopped by its owner.`,
        'Other servers are not affected. It is started again in the console of the aggregator.',
      )
    },
  }
}
