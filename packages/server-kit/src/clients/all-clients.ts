import { amp } from './amp.ts'
import { antigravity } from './antigravity.ts'
import { claudeCode } from './claude-code.ts'
import { claudeDesktop } from './claude-desktop.ts'
import { cline } from './cline.ts'
import { codex } from './codex.ts'
import { copilot } from './copilot.ts'
import { crush } from './crush.ts'
import { cursor } from './cursor.ts'
import { devin } from './devin.ts'
import { droid } from './droid.ts'
import type { Client } from './entries/client.ts'
import { gemini } from './gemini.ts'
import { goose } from './goose.ts'
import { kiro } from './kiro.ts'
import { lmstudio } from './lmstudio.ts'
import { opencode } from './opencode.ts'
import { qwen } from './qwen.ts'
import { roo } from './roo.ts'
import { vscode } from './vscode.ts'
import { warp } from './warp.ts'
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
  copilot,
  goose,
  roo,
  amp,
  warp,
  lmstudio,
  qwen,
  droid,
  crush,
]

/** The names of all supported clients. */
export const clientNames: readonly string[] = allClients.map(({ name }) => name)

/** The client of a name, also a former one, if it is supported. */
export const findClient = (name: string): Client | undefined =>
  allClients.find((client) => [client.name, ...(client.formerNames ?? [])].includes(name))
