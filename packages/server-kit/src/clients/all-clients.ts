import { antigravity } from './antigravity.ts'
import { claudeCode } from './claude-code.ts'
import { claudeDesktop } from './claude-desktop.ts'
import { cline } from './cline.ts'
import { codex } from './codex.ts'
import { cursor } from './cursor.ts'
import { devin } from './devin.ts'
import type { Client } from './entries/client.ts'
import { gemini } from './gemini.ts'
import { kiro } from './kiro.ts'
import { opencode } from './opencode.ts'
import { vscode } from './vscode.ts'
import { zed } from './zed.ts'

/** All supported clients, in the order of help texts. */
export const allClients: readonly Client[] = [
  claudeCode,
  claudeDesktop,
  cursor,
  vscode,
  codex,
  gemini,
  opencode,
  devin,
  cline,
  kiro,
  zed,
  antigravity,
]

/** The names of all supported clients. */
export const clientNames: readonly string[] = allClients.map(({ name }) => name)

/** The client of a name, also a former one, if it is supported. */
export const findClient = (name: string): Client | undefined =>
  allClients.find((client) => [client.name, ...(client.formerNames ?? [])].includes(name))
