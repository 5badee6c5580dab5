import { join } from 'node:path'
import { type Client, plainEntry } from './entries/client.ts'
import { braced, type Dialect, launchFields, sameName, variableName } from './entries/dialect.ts'
import { address, asIs, dropped, hiddenTools, serverRules } from './entries/rules.ts'
import {
  applicationFolder,
  type ConfigLocation,
  type HostEnvironment,
  inFolder,
} from './locations/location.ts'

const at = ['mcpServers']
const file = 'mcp_config.json'

const user = ({ home }: HostEnvironment): ConfigLocation => ({
  file: join(home, '.codeium', 'windsurf', file),
  at,
  product: 'Windsurf',
})

function otherLocations(host: HostEnvironment): ConfigLocation[] {
  const { home, platform } = host
  const devin = platform === 'win32' ? applicationFolder(host) : join(home, '.config')
  return [
    { file: join(home, '.codeium', file), at, product: 'Windsurf for JetBrains' },
    { file: join(devin, 'devin', file), at, product: 'Devin' },
  ]
}

const dialect: Dialect = {
  token: braced,
  fields: [...launchFields, 'serverUrl'],
  meanings: [
    [new RegExp(`^\\$\\{env:${variableName}\\}$`), sameName],
    [
      /^\$\{file:[/~][^}$]*\}$/,
      ([variable], { note }) => {
        note(`${variable} must be readable by its owner only (chmod 600).`)
        return { variable }
      },
    ],
  ],
}

export const windsurf: Client = {
  name: 'windsurf',
  title: 'Windsurf',
  infoName: 'windsurf-client',
  format: 'jsonc',
  locations: (host) => [
    [user(host)],
    ...otherLocations(host).map((location) => [location]),
    inFolder(host, ['.devin', file], at).map((location) => ({ ...location, product: 'Devin' })),
  ],
  scope: 'user',
  target: (host, scope) => (scope === 'user' ? [user(host)] : []),
  entry: plainEntry,
  passesVariables: false,
  dialect,
  rules: {
    ...serverRules,
    serverUrl: address,
    transport: serverRules.type,
    disabled: asIs,
    disabledTools: hiddenTools,
    alwaysAllow: dropped,
  },
}
