import { join } from 'node:path'
import { type Client, plainEntry } from './entries/client.ts'
import { braced, type Dialect, sameName, variableName } from './entries/dialect.ts'
import { asIs, dropped, hiddenTools, serverRules } from './entries/rules.ts'
import { type ConfigLocation, type HostEnvironment, here, inFolder } from './locations/location.ts'

const path = ['.kiro', 'settings', 'mcp.json']
const at = ['mcpServers']

const user = ({ home }: HostEnvironment): ConfigLocation => ({ file: join(home, ...path), at })

const dialect: Dialect = {
  token: braced,
  fields: ['env', 'headers'],
  meanings: [[new RegExp(`^\\$\\{${variableName}\\}$`), sameName]],
}

export const kiro: Client = {
  name: 'kiro',
  title: 'Kiro',
  format: 'jsonc',
  locations: (host) => [[user(host)], inFolder(host, path, at)],
  scope: 'folder',
  target: (host, scope) => [scope === 'folder' ? here(host, path, at) : user(host)],
  entry: plainEntry,
  passesVariables: false,
  dialect,
  rules: {
    ...serverRules,
    disabled: asIs,
    autoApprove: dropped,
    disabledTools: hiddenTools,
  },
}
