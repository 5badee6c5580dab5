import { clients } from '@pith-mcp/server-kit/clients'
import type { Client } from '../entry/client.ts'
import { kiroVariables } from '../entry/dialect.ts'
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

export const kiro: Client = {
  ...clients.kiro,
  name: 'kiro',
  dialect: kiroVariables,
  rules: {
    command: text,
    args: texts,
    env: record,
    cwd: text,
    type: transport(),
    url: address,
    headers: record,
    disabled: asIs,
    autoApprove: dropped,
    disabledTools: hiddenTools,
  },
  passesVariables: false,
}
