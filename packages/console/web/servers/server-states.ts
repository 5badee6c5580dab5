import type { Schemas } from '../api/create-api.ts'
import type { Tone } from '../ui/badge.tsx'

type Server = Schemas['Server']

/** What a state is called, and how much it asks for attention. */
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

/** Whether someone has to do something about it. */
export function needsHand({ state }: Server): boolean {
  return state === 'down' || state === 'needs_sign_in' || state === 'unusable'
}
