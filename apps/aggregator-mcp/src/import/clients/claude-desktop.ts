import { clients } from '@pith-mcp/server-kit/clients'
import type { Client } from '../entry/client.ts'
import { noVariables } from '../entry/dialect.ts'
import { address, asIs, record, text, texts, transport } from '../entry/rules.ts'

export const claudeDesktop: Client = {
  ...clients['claude-desktop'],
  name: 'claude-desktop',
  dialect: noVariables,
  rules: {
    command: text,
    args: texts,
    env: record,
    cwd: text,
    type: transport(),
    headers: record,
    disabled: asIs,
    url(value, key, context) {
      context.note('Claude Desktop itself does not accept a url here.')
      return address(value, key, context)
    },
  },
  passesVariables: false,
}
