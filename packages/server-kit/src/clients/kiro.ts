import { join } from 'node:path'
import { type Client, usualIn } from './entries/client.ts'
import { braced, sameName, variableName } from './entries/dialect.ts'
import { asIs, dropped, hiddenTools, serverRules } from './entries/rules.ts'

export const kiro: Client = {
  name: 'kiro',
  title: 'Kiro',
  ...usualIn('mcpServers', '.kiro', 'settings', 'mcp.json'),
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
