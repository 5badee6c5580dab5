import type { Client } from './client.ts'
import { windsurfVariables } from './entries/dialect.ts'
import {
  address,
  asIs,
  dropped,
  hiddenTools,
  record,
  text,
  texts,
  transport,
} from './entries/rules.ts'
import { windsurf as config } from './windsurf.ts'

const type = transport()

export const windsurf: Client = {
  ...config,
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
