import { clients } from '@pith-mcp/server-kit/clients'
import type { Client } from '../entry/client.ts'
import { noVariables } from '../entry/dialect.ts'
import { address, asIs, dropped, record, text, texts, time, transport } from '../entry/rules.ts'

const type = transport()

export const cline: Client = {
  ...clients.cline,
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
  own: ({ timeoutSeconds }, existing) => ({
    timeout: Math.max(Number(existing['timeout'] ?? 0), timeoutSeconds),
  }),
  passesVariables: false,
}
