import type { Client } from './client.ts'
import { vscodeVariables } from './entries/dialect.ts'
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
} from './entries/rules.ts'
import { vscode as config } from './vscode.ts'

export const vscode: Client = {
  ...config,
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
