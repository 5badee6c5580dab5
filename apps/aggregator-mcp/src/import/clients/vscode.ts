import { clients } from '@pith-mcp/server-kit/clients'
import type { Client } from '../entry/client.ts'
import { vscodeVariables } from '../entry/dialect.ts'
import {
  address,
  dropped,
  droppedWithNote,
  envFile,
  record,
  signIn,
  stays,
  text,
  texts,
  transport,
} from '../entry/rules.ts'

export const vscode: Client = {
  ...clients.vscode,
  name: 'vscode',
  dialect: vscodeVariables,
  rules: {
    type: transport(),
    command: text,
    args: texts,
    cwd: text,
    env: record,
    envFile,
    url: address,
    headers: record,
    oauth: signIn({ clientId: 'clientId' }),
    sandboxEnabled: stays('It runs in the sandbox of VS Code, which it would lose'),
    sandbox: dropped,
    dev: droppedWithNote,
    gallery: dropped,
    version: dropped,
  },
  passesVariables: false,
}
