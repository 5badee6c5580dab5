import { type Client, stdioEntry, usualIn } from './entries/client.ts'
import { shellVariables } from './entries/dialect.ts'
import { asIs, droppedWithNote, hiddenTools, ownSignIn, serverRules } from './entries/rules.ts'

export const droid: Client = {
  name: 'droid',
  title: 'Droid',
  ...usualIn('mcpServers', '.factory', 'mcp.json'),
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
