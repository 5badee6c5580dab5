import { join } from 'node:path'
import { type Client, stdioEntry, usual } from './entries/client.ts'
import { launchFields, sameName, unknownTo, variableName } from './entries/dialect.ts'
import { asIs, hiddenTools, onlyTools, serverRules, time } from './entries/rules.ts'
import { configFolder, type HostEnvironment } from './locations/location.ts'

function user(host: HostEnvironment): string[] {
  const { platform, home, variables } = host
  const local = variables['LOCALAPPDATA'] || join(home, 'AppData', 'Local')
  return [join(platform === 'win32' ? local : configFolder(host), 'crush', 'crush.json')]
}

export const crush: Client = {
  name: 'crush',
  title: 'Crush',
  ...usual(['mcp'], user, ['.crush.json'], ['crush.json']),
  entry: stdioEntry,
  // Crush waits 15 s for a server by default; a cold start takes longer.
  provide: ({ timeoutSeconds }, { timeout }) => ({
    timeout: Math.max(Number(timeout ?? 0), 60, timeoutSeconds),
  }),
  passesVariables: true,
  dialect: {
    token: /\$\([^)]*\)|\$\{[^}]*\}|\$\w+/g,
    fields: launchFields,
    meanings: [
      [new RegExp(`^\\$\\{${variableName}\\}$`), sameName],
      [
        new RegExp(`^\\$(${variableName})$`),
        ([, variable = '']) => ({ variable: `\${${variable}}` }),
      ],
      [/^\$[({]/, unknownTo('Crush')],
    ],
  },
  rules: {
    ...serverRules,
    disabled: asIs,
    enabled_tools: onlyTools,
    disabled_tools: hiddenTools,
    timeout: time('timeoutSeconds', 1),
  },
  commands: ['crush'],
  skills: ['.crush/skills', '.config/crush/skills'],
  rulesIn: ['AGENTS.md'],
}
