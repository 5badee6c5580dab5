import type { Schemas } from '../api/schemas.ts'
import type { Tone } from '../ui/plain-text.tsx'

type Server = Schemas['Server']

/** The tone and name of each state, those first that need a person. */
export const serverStates: Readonly<Record<Server['state'], readonly [Tone, string]>> = {
  unusable: ['bad', 'Unusable'],
  down: ['bad', 'Down'],
  needs_sign_in: ['warn', 'Needs sign-in'],
  starting: ['info', 'Starting'],
  ready: ['ok', 'Ready'],
  idle: ['still', 'Idle'],
  halted: ['still', 'Stopped'],
  disabled: ['still', 'Disabled'],
}
