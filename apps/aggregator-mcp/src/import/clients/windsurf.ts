import { clients } from '@pith-mcp/server-kit/clients'
import type { Client } from '../entry/client.ts'
import { windsurfVariables } from '../entry/dialect.ts'
import {
  address,
  asIs,
  dropped,
  hiddenTools,
  record,
  text,
  texts,
  transport,
} from '../entry/rules.ts'

const type = transport()

export const windsurf: Client = {
  ...clients.windsurf,
  name: 'windsurf',
  dialect: windsurfVariables,
  rules: {
    command: text,
    args: texts,
    env: record,
    cwd: text,
    serverUrl: address,
    url: address,
    headers: record,
    type,
    transport: type,
    disabled: asIs,
    disabledTools: hiddenTools,
    alwaysAllow: dropped,
  },
  passesVariables: false,
}
