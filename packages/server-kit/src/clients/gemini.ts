import { join } from 'node:path'
import type { ClientConfig } from './client.ts'
import { plainEntry } from './entries/plain-entry.ts'
import { here, inFolder } from './locations/folders.ts'
import type { ConfigLocation, HostEnvironment } from './locations/location.ts'

const path = ['.gemini', 'settings.json']
const at = ['mcpServers']

const homeOf = ({ home, variables }: HostEnvironment): string =>
  variables['GEMINI_CLI_HOME'] || home

const user = (host: HostEnvironment): ConfigLocation => ({ file: join(homeOf(host), ...path), at })

const antigravity = (host: HostEnvironment): ConfigLocation => ({
  file: join(homeOf(host), '.gemini', 'config', 'mcp_config.json'),
  at,
  product: 'Antigravity CLI',
})

export const gemini: ClientConfig = {
  title: 'Gemini CLI',
  format: 'jsonc',
  locations: (host) => [[user(host)], [antigravity(host)], inFolder(host, path, at)],
  scope: 'folder',
  target: (host, scope) => [scope === 'folder' ? here(host, path, at) : user(host)],
  entry: plainEntry,
}
