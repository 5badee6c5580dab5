import { journalOperations } from './journal.ts'
import type { Operation } from './operation.ts'
import { pinOperations } from './pins.ts'
import { profileOperations } from './profiles.ts'
import { serverOperations, signInOperations } from './servers.ts'
import { sessionOperations } from './session.ts'
import { tokenOperations } from './tokens.ts'
import { toolOperations } from './tools.ts'
import { usageOperations } from './usage.ts'

export const operations: readonly Operation[] = [
  ...sessionOperations,
  ...serverOperations,
  ...signInOperations,
  ...toolOperations,
  ...usageOperations,
  ...journalOperations,
  ...pinOperations,
  ...profileOperations,
  ...tokenOperations,
]
