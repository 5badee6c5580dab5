import { join } from 'node:path'
import { type Client, usual } from './entries/client.ts'
import { braced, sameName, variableName } from './entries/dialect.ts'
import { asIs, dropped, hiddenTools, serverRules } from './entries/rules.ts'

const path = ['.kiro', 'settings', 'mcp.json']

export const kiro: Client = {
  name: 'kiro',
  title: 'Kiro',
  ...usual(['mcpServers'], ({ home }) => [join(home, ...path)], path),
  scope: 'folder',
  dialect: {
    token: braced,
    fields: ['env', 'headers'],
    meanings: [[new RegExp(`^\\$\\{${variableName}\\}$`), sameName]],
  },
  rules: {
    ...serverRules,
    disabled: asIs,
    autoApprove: dropped,
    disabledTools: hiddenTools,
  },
  commands: ['kiro', 'kiro-cli'],
  traces: ({ home }) => [join(home, '.kiro')],
}
