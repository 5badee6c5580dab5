import { claudeCode } from './claude-code.ts'
import { claudeDesktop } from './claude-desktop.ts'
import type { Client } from './client.ts'
import { cline } from './cline.ts'
import { codex } from './codex.ts'
import { cursor } from './cursor.ts'
import { gemini } from './gemini.ts'
import { kiro } from './kiro.ts'
import { opencode } from './opencode.ts'
import { vscode } from './vscode.ts'
import { windsurf } from './windsurf.ts'
import { zed } from './zed.ts'

/** In order: if two clients use one name for different servers, the first one keeps it. */
export const allClients: readonly Client[] = [
  claudeDesktop,
  claudeCode,
  cursor,
  vscode,
  windsurf,
  codex,
  gemini,
  opencode,
  cline,
  kiro,
  zed,
]
