import { join } from 'node:path'
import { type Client, usual } from './entries/client.ts'
import { serverRules } from './entries/rules.ts'

export const lmstudio: Client = {
  name: 'lmstudio',
  title: 'LM Studio',
  ...usual(['mcpServers'], ({ home }) => [join(home, '.lmstudio', 'mcp.json')]),
  rules: serverRules,
  commands: ['lms'],
}
