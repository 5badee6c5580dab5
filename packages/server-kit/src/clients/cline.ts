import { join } from 'node:path'
import type { ClientConfig } from './client.ts'
import { plainEntry } from './entries/plain-entry.ts'
import type { ConfigLocation, HostEnvironment } from './locations/location.ts'
import { vscodeUser } from './vscode.ts'

const at = ['mcpServers']
const file = join('settings', 'cline_mcp_settings.json')

function user({ home, variables }: HostEnvironment): ConfigLocation {
  const {
    CLINE_MCP_SETTINGS_PATH: settingsPath,
    CLINE_DIR: folder,
    CLINE_DATA_DIR: data,
  } = variables
  return {
    file: settingsPath || join(data || join(folder || join(home, '.cline'), 'data'), file),
    at,
  }
}

const extension = (host: HostEnvironment): ConfigLocation => ({
  file: join(vscodeUser(host, 'Code'), 'globalStorage', 'saoudrizwan.claude-dev', file),
  at,
  product: 'Cline, the older extension',
})

export const cline: ClientConfig = {
  title: 'Cline',
  format: 'jsonc',
  locations: (host) => [[user(host)], [extension(host)]],
  scope: 'user',
  target: (host, scope) => (scope === 'user' ? [extension(host), user(host)] : []),
  entry: plainEntry,
}
