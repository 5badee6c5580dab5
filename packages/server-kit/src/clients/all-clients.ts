import { claudeCode } from './claude-code.ts'
import { claudeDesktop } from './claude-desktop.ts'
import { cline } from './cline.ts'
import { codex } from './codex.ts'
import { cursor } from './cursor.ts'
import type { Client } from './entries/client.ts'
import { gemini } from './gemini.ts'
import { kiro } from './kiro.ts'
import { opencode } from './opencode.ts'
import { vscode } from './vscode.ts'
import { windsurf } from './windsurf.ts'
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
  windsurf,
  cline,
  kiro,
  zed,
]

/** The names of all supported clients. */
export const clientNames: readonly string[] = allClients.map(({ name }) => name)

/** The client of a name, if it is supported. */
export const findClient = (name: string): Client | undefined =>
  allClients.find((client) => client.name === name)
