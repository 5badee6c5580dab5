import { type ServerConfig, type SignInState, type SignIns, unitName } from '@pith-mcp/aggregator'

/** Milliseconds a state is cached: reading it may run commands and open keychains. */
const ttlMs = 5_000

export type SignInStates = ReturnType<typeof createSignInStates>

/** The sign-in states of units, cached. */
export function createSignInStates(signIns: SignIns) {
  const known = new Map<string, { at: number; state: Promise<SignInState | undefined> }>()
  return {
    async of(unit: ServerConfig): Promise<SignInState | undefined> {
      if (unit.type === 'stdio' || unit.problem !== undefined) return undefined
      const name = unitName(unit)
      const found = known.get(name)
      if (found && performance.now() - found.at < ttlMs) return found.state
      const state = signIns.stateOf(unit).catch(() => undefined)
      known.set(name, { at: performance.now(), state })
      return state
    },
    /** Drop the cached state of a unit. */
    forget: (unit: string) => void known.delete(unit),
  }
}
