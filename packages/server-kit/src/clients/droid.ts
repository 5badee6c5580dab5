import { join } from 'node:path'
import { type Client, stdioEntry, usual } from './entries/client.ts'
import { shellVariables } from './entries/dialect.ts'
import { asIs, droppedWithNote, hiddenTools, ownSignIn, serverRules } from './entries/rules.ts'

const path = ['.factory', 'mcp.json']

export const droid: Client = {
  name: 'droid',
  title: 'Droid',
  ...usual(['mcpServers'], ({ home }) => [join(home, ...path)], path),
  entry: stdioEntry,
  dialect: shellVariables,
  rules: {
    ...serverRules,
    disabled: asIs,
    disabledTools: hiddenTools,
    oauth: ownSignIn,
    timeout: droppedWithNote,
    connectTimeout: droppedWithNote,
  },
  commands: ['droid'],
  skills: ['.factory/skills', '.factory/skills'],
  rulesIn: ['AGENTS.md', '.factory/AGENTS.md'],
}
