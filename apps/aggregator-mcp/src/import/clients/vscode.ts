import { clients } from '@pith-mcp/setup'
import type { Client } from '../entry/client.ts'
import { vscodeVariables } from '../entry/dialect.ts'
import {
  address,
  envFile,
  leftOut,
  leftOutAndSaid,
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
    sandboxEnabled: stays('it runs in the sandbox of VS Code; moved, it would run without'),
    sandbox: leftOut,
    dev: leftOutAndSaid,
    gallery: leftOut,
    version: leftOut,
  },
  handsOnVariables: false,
}
