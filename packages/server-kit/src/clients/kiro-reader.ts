import type { Client } from './client.ts'
import { kiroVariables } from './entries/dialect.ts'
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
import { kiro as config } from './kiro.ts'

export const kiro: Client = {
  ...config,
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
