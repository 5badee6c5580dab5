import { claudeDesktop as config } from './claude-desktop.ts'
import type { Client } from './client.ts'
import { noVariables } from './entries/dialect.ts'
import { address, asIs, record, text, texts, transport } from './entries/rules.ts'

export const claudeDesktop: Client = {
  ...config,
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
