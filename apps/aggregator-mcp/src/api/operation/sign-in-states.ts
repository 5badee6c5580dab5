import { type ServerConfig, type SignInState, type SignIns, unitName } from '@pith-mcp/aggregator'

/** Looking up may run commands and open keychains. */
const keptMs = 5_000

/** Who is signed in where, looked up now and then. */
export interface SignInStates {
  of(unit: ServerConfig): Promise<SignInState | undefined>
  /** Something was done about the unit of that name. */
  forget(unit: string): void
}

export function createSignInStates(signIns: SignIns): SignInStates {
  const known = new Map<string, { at: number; state: Promise<SignInState | undefined> }>()
  return {
    async of(unit) {
      if (unit.type === 'stdio' || unit.problem !== undefined) return undefined
      const name = unitName(unit)
      const found = known.get(name)
      if (found && performance.now() - found.at < keptMs) return found.state
      const state = signIns.stateOf(unit).catch(() => undefined)
      known.set(name, { at: performance.now(), state })
      return state
    },
    forget: (unit) => void known.delete(unit),
  }
}
