import { join } from 'node:path'
import type { Client } from '../client.ts'
import { noVariables } from '../entry/dialect.ts'
import { address, asIs, leftOut, record, text, texts, time, transport } from '../entry/rules.ts'
import { vscodeUser } from './vscode.ts'

const at = ['mcpServers']
const type = transport()

export const cline: Client = {
  name: 'cline',
  title: 'Cline',
  format: 'jsonc',
  places(around) {
    const { home, variables } = around
    const { CLINE_MCP_SETTINGS_PATH: told, CLINE_DIR: folder, CLINE_DATA_DIR: data } = variables
    const file = join('settings', 'cline_mcp_settings.json')
    const extension = join('globalStorage', 'saoudrizwan.claude-dev')
    return [
      [{ file: told || join(data || join(folder || join(home, '.cline'), 'data'), file), at }],
      [
        {
          file: join(vscodeUser(around, 'Code'), extension, file),
          at,
          product: 'Cline, the older extension',
        },
      ],
    ]
  },
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
    autoApprove: leftOut,
    alwaysAllow: leftOut,
    timeout: time('timeoutSeconds', 1),
  },
  complete: ({ url, type }) => (url !== undefined && type === undefined ? { type: 'sse' } : {}),
  own: ({ timeoutSeconds }, existing) => ({
    timeout: Math.max(Number(existing['timeout'] ?? 0), timeoutSeconds),
  }),
  handsOnVariables: false,
}
