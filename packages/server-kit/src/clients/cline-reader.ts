import type { Client } from './client.ts'
import { cline as config } from './cline.ts'
import { noVariables } from './entries/dialect.ts'
import { address, asIs, dropped, record, text, texts, time, transport } from './entries/rules.ts'

const type = transport()

export const cline: Client = {
  ...config,
  name: 'cline',
  dialect: noVariables,
  rules: {
    command: text,
    args: texts,
    env: record,
    cwd: text,
    url: address,
    headers: record,
    type,
    transportType: type,
    disabled: asIs,
    autoApprove: dropped,
    alwaysAllow: dropped,
    timeout: time('timeoutSeconds', 1),
  },
  complete: ({ url, type }) => (url !== undefined && type === undefined ? { type: 'sse' } : {}),
  provide: ({ timeoutSeconds }, existing) => ({
    timeout: Math.max(Number(existing['timeout'] ?? 0), timeoutSeconds),
  }),
  passesVariables: false,
}
