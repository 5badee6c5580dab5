import { join } from 'node:path'
import { type Client, usual } from './entries/client.ts'
import { address, asIs, serverRules } from './entries/rules.ts'
import { applicationFolder, type HostEnvironment } from './locations/location.ts'

const file = 'claude_desktop_config.json'

function user(host: HostEnvironment): string[] {
  const { home, platform, variables } = host
  const local = variables['LOCALAPPDATA'] || join(home, 'AppData', 'Local')
  // Installed as a Windows package, it reads its own copy instead of the other file.
  const packaged = ['Packages', 'Claude_*', 'LocalCache', 'Roaming', 'Claude', file]
  return [
    ...(platform === 'win32' ? [join(local, ...packaged)] : []),
    join(applicationFolder(host), 'Claude', file),
  ]
}

export const claudeDesktop: Client = {
  name: 'claude-desktop',
  title: 'Claude Desktop',
  infoName: 'claude-ai',
  ...usual(['mcpServers'], user),
  rules: {
    ...serverRules,
    disabled: asIs,
    url(value, key, context) {
      context.note('Claude Desktop itself does not accept a url here.')
      return address(value, key, context)
    },
  },
  commands: [],
}
