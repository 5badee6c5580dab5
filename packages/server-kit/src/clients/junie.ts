import { join } from 'node:path'
import { type Client, usual } from './entries/client.ts'
import { serverRules } from './entries/rules.ts'

const path = ['.junie', 'mcp', 'mcp.json']

export const junie: Client = {
  name: 'junie',
  title: 'Junie',
  ...usual(['mcpServers'], ({ home }) => [join(home, ...path)], path),
  rules: serverRules,
  commands: ['junie'],
  traces: ({ home }) => [join(home, '.junie')],
  skills: ['.junie/skills', '.junie/skills'],
  rulesIn: ['.junie/AGENTS.md', '.junie/AGENTS.md'],
}
