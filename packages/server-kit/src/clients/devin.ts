import { join } from 'node:path'
import { type Client, usual } from './entries/client.ts'
import { braced, launchFields, sameName, variableName } from './entries/dialect.ts'
import { address, asIs, dropped, hiddenTools, serverRules } from './entries/rules.ts'
import { applicationFolder, type HostEnvironment, inFolder } from './locations/location.ts'

const at = ['mcpServers']
const file = 'mcp_config.json'
const path = ['.devin', file]

/** The file of Windsurf stays in use where it exists. */
const windsurf = ({ home }: HostEnvironment): string => join(home, '.codeium', 'windsurf', file)

function user(host: HostEnvironment): string {
  const { home, platform } = host
  const folder = platform === 'win32' ? applicationFolder(host) : join(home, '.config')
  return join(folder, 'devin', file)
}

export const devin: Client = {
  name: 'devin',
  title: 'Devin Desktop',
  formerNames: ['windsurf'],
  infoName: 'windsurf-client',
  ...usual(at, (host) => [windsurf(host), user(host)], path),
  locations: (host) => [
    [{ file: windsurf(host), at, product: 'Windsurf' }],
    [{ file: join(host.home, '.codeium', file), at, product: 'Windsurf for JetBrains' }],
    [{ file: user(host), at, product: 'Devin' }],
    inFolder(host, path, at).map((location) => ({ ...location, product: 'Devin' })),
  ],
  dialect: {
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
  },
  rules: {
    ...serverRules,
    serverUrl: address,
    transport: serverRules.type,
    disabled: asIs,
    disabledTools: hiddenTools,
    alwaysAllow: dropped,
  },
  commands: ['devin', 'windsurf'],
  traces: (host) => [join(windsurf(host), '..'), join(user(host), '..')],
}
