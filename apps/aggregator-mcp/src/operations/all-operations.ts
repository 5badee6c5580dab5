import { accessOperations } from './access.ts'
import { signInOperations } from './accounts.ts'
import { approvalOperations } from './approvals.ts'
import { attentionOperations } from './attention.ts'
import { clientOperations } from './clients.ts'
import { configOperations } from './config.ts'
import { historyOperations } from './config-history.ts'
import { journalOperations } from './journal.ts'
import { meterOperations } from './meter.ts'
import type { Operation } from './operation.ts'
import { pinOperations } from './pins.ts'
import { profileOperations } from './profiles.ts'
import { registryOperations } from './registry.ts'
import { serverCallOperations } from './server-calls.ts'
import { serverItemOperations } from './server-items.ts'
import { serverOperations } from './servers.ts'
import { sessionOperations } from './session.ts'
import { tokenOperations } from './tokens.ts'
import { toolOperations } from './tools.ts'
import { usageOperations } from './usage.ts'

/** By their OpenAPI tags. */
const byTag: Readonly<Record<string, readonly Operation[]>> = {
  session: sessionOperations,
  attention: attentionOperations,
  servers: [...serverOperations, ...serverCallOperations, ...serverItemOperations],
  registry: registryOperations,
  config: [...configOperations, ...historyOperations],
  'sign-ins': signInOperations,
  tools: toolOperations,
  usage: [...usageOperations, ...meterOperations],
  journal: journalOperations,
  pins: pinOperations,
  approvals: approvalOperations,
  clients: clientOperations,
  profiles: [...profileOperations, ...accessOperations],
  tokens: tokenOperations,
}

export const operations: readonly (Operation & { tag: string })[] = Object.entries(byTag).flatMap(
  ([tag, those]) => those.map((row) => ({ ...row, tag })),
)
