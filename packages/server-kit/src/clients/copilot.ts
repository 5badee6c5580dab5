import { join } from 'node:path'
import { type Client, plainEntry, usual } from './entries/client.ts'
import { onlyTools, type Rule, serverRules, transport } from './entries/rules.ts'

/** `*` stands for all tools. */
const tools: Rule = (value, key, context) =>
  Array.isArray(value) && value.includes('*') ? undefined : onlyTools(value, key, context)

export const copilot: Client = {
  name: 'copilot',
  title: 'Copilot CLI',
  infoName: 'github-copilot',
  ...usual(
    ['mcpServers'],
    ({ home, variables }) => [
      join(variables['COPILOT_HOME'] || join(home, '.copilot'), 'mcp-config.json'),
    ],
    ['.mcp.json'],
    ['.github', 'mcp.json'],
  ),
  entry: (launch) => ({ type: 'local', ...plainEntry(launch), tools: ['*'] }),
  rules: { ...serverRules, type: transport({ local: 'stdio' }), tools },
  commands: ['copilot'],
  skills: ['.github/skills', '.copilot/skills'],
  rulesIn: ['AGENTS.md', '.copilot/copilot-instructions.md'],
}
