import { claudeCode } from './claude-code.ts'
import { claudeDesktop } from './claude-desktop.ts'
import type { ClientConfig } from './client.ts'
import { cline } from './cline.ts'
import { codex } from './codex.ts'
import { cursor } from './cursor.ts'
import { gemini } from './gemini.ts'
import { kiro } from './kiro.ts'
import { opencode } from './opencode.ts'
import { vscode } from './vscode.ts'
import { windsurf } from './windsurf.ts'
import { zed } from './zed.ts'

/** The name of a supported client, as on the command line. */
export type ClientName =
  | 'claude-code'
  | 'claude-desktop'
  | 'cursor'
  | 'vscode'
  | 'codex'
  | 'gemini'
  | 'opencode'
  | 'windsurf'
  | 'cline'
  | 'kiro'
  | 'zed'

/** All supported clients, by their name on the command line. */
export const clients: Readonly<Record<ClientName, ClientConfig>> = {
  'claude-code': claudeCode,
  'claude-desktop': claudeDesktop,
  cursor,
  vscode,
  codex,
  gemini,
  opencode,
  windsurf,
  cline,
  kiro,
  zed,
}

/** The names of all supported clients. */
export const clientNames: readonly ClientName[] = Object.keys(clients) as ClientName[]

/** True if a text is the name of a supported client. */
export const isClientName = (name: string): name is ClientName => Object.hasOwn(clients, name)
