import { join } from 'node:path'
import { type Client, plainEntry } from './entries/client.ts'
import { noVariables } from './entries/dialect.ts'
import { address, asIs, serverRules } from './entries/rules.ts'
import {
  applicationFolder,
  type ConfigLocation,
  type HostEnvironment,
} from './locations/location.ts'

const file = 'claude_desktop_config.json'
const at = ['mcpServers']

function user(host: HostEnvironment): ConfigLocation[] {
  const { home, platform, variables } = host
  const local = variables['LOCALAPPDATA'] || join(home, 'AppData', 'Local')
  // Installed as a Windows package, it reads its own copy instead of the other file.
  const packaged = ['Packages', 'Claude_*', 'LocalCache', 'Roaming', 'Claude', file]
  return [
    ...(platform === 'win32' ? [{ file: join(local, ...packaged), at }] : []),
    { file: join(applicationFolder(host), 'Claude', file), at },
  ]
}

export const claudeDesktop: Client = {
  name: 'claude-desktop',
  title: 'Claude Desktop',
  infoName: 'claude-ai',
  format: 'jsonc',
  locations: (host) => [user(host)],
  scope: 'user',
  target: (host, scope) => (scope === 'user' ? user(host) : []),
  entry: plainEntry,
  passesVariables: false,
  dialect: noVariables,
  rules: {
    ...serverRules,
    disabled: asIs,
    url(value, key, context) {
      context.note('Claude Desktop itself does not accept a url here.')
      return address(value, key, context)
    },
  },
}
