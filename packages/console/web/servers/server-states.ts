import type { Schemas } from '../api/schemas.ts'
import type { Tone } from '../ui/badge.tsx'

type Server = Schemas['Server']

/** The tone and name of each state. */
export const serverStates: Readonly<Record<Server['state'], readonly [Tone, string]>> = {
  ready: ['ok', 'Ready'],
  starting: ['info', 'Starting'],
  idle: ['still', 'Idle'],
  halted: ['still', 'Stopped'],
  disabled: ['still', 'Disabled'],
  needs_sign_in: ['warn', 'Needs sign-in'],
  down: ['bad', 'Down'],
  unusable: ['bad', 'Unusable'],
}

/** Whether a person must act. */
export function needsAttention({ state }: Server): boolean {
  return state === 'down' || state === 'needs_sign_in' || state === 'unusable'
}
