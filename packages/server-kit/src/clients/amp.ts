import { join } from 'node:path'
import { type Client, usual } from './entries/client.ts'
import { shellVariables } from './entries/dialect.ts'
import { onlyTools, serverRules } from './entries/rules.ts'
import { configFolder } from './locations/location.ts'

export const amp: Client = {
  name: 'amp',
  title: 'Amp',
  ...usual(
    ['amp.mcpServers'],
    (host) => ['jsonc', 'json'].map((end) => join(configFolder(host), 'amp', `settings.${end}`)),
    ['.amp', 'settings.json'],
  ),
  dialect: shellVariables,
  rules: { ...serverRules, includeTools: onlyTools },
  commands: ['amp'],
  skills: ['.agents/skills', '.config/agents/skills'],
  rulesIn: ['AGENTS.md', '.config/amp/AGENTS.md'],
}
