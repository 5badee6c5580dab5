import { join } from 'node:path'
import type { ClientConfig } from './client.ts'
import { plainEntry } from './entries/plain-entry.ts'
import { applicationFolder, inFolder } from './locations/folders.ts'
import type { ConfigLocation, HostEnvironment } from './locations/location.ts'

const at = ['mcpServers']
const file = 'mcp_config.json'

const user = ({ home }: HostEnvironment): ConfigLocation => ({
  file: join(home, '.codeium', 'windsurf', file),
  at,
  product: 'Windsurf',
})

function others(host: HostEnvironment): ConfigLocation[] {
  const { home, platform } = host
  const devin = platform === 'win32' ? applicationFolder(host) : join(home, '.config')
  return [
    { file: join(home, '.codeium', file), at, product: 'Windsurf for JetBrains' },
    { file: join(devin, 'devin', file), at, product: 'Devin' },
  ]
}

export const windsurf: ClientConfig = {
  title: 'Windsurf',
  format: 'jsonc',
  locations: (host) => [
    [user(host)],
    ...others(host).map((location) => [location]),
    inFolder(host, ['.devin', file], at).map((location) => ({ ...location, product: 'Devin' })),
  ],
  scope: 'user',
  target: (host, scope) => (scope === 'user' ? [user(host)] : []),
  entry: plainEntry,
}
