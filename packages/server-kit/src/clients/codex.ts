import { join } from 'node:path'
import type { ClientConfig } from './client.ts'
import { plainEntry } from './entries/plain-entry.ts'
import { here, inFolder } from './locations/folders.ts'
import type { ConfigLocation, HostEnvironment } from './locations/location.ts'

const at = ['mcp_servers']
const path = ['.codex', 'config.toml']

const user = ({ home, variables }: HostEnvironment): ConfigLocation => ({
  file: join(variables['CODEX_HOME'] || join(home, '.codex'), 'config.toml'),
  at,
})

export const codex: ClientConfig = {
  title: 'Codex',
  format: 'toml',
  locations: (host) => [[user(host)], inFolder(host, path, at)],
  // It reads files of trusted folders only.
  scope: 'user',
  target: (host, scope) => [scope === 'folder' ? here(host, path, at) : user(host)],
  entry: plainEntry,
}
