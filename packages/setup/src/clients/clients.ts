import { claudeCode } from './claude-code.ts'
import { claudeDesktop } from './claude-desktop.ts'
import type { ClientFiles } from './client-files.ts'
import { cline } from './cline.ts'
import { codex } from './codex.ts'
import { cursor } from './cursor.ts'
import { gemini } from './gemini.ts'
import { kiro } from './kiro.ts'
import { opencode } from './opencode.ts'
import { vscode } from './vscode.ts'
import { windsurf } from './windsurf.ts'
import { zed } from './zed.ts'

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

/** Every client that is known, by the name it has on a command line. */
export const clients: Readonly<Record<ClientName, ClientFiles>> = {
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

export const clientNames: readonly ClientName[] = Object.keys(clients) as ClientName[]

export const isClientName = (name: string): name is ClientName => Object.hasOwn(clients, name)
