import { join } from 'node:path'
import type { ClientConfig } from './client.ts'
import { plainEntry } from './entries/plain-entry.ts'
import { here, inFolder } from './locations/folders.ts'
import type { ConfigLocation, HostEnvironment } from './locations/location.ts'

const path = ['.kiro', 'settings', 'mcp.json']
const at = ['mcpServers']

const user = ({ home }: HostEnvironment): ConfigLocation => ({ file: join(home, ...path), at })

export const kiro: ClientConfig = {
  title: 'Kiro',
  format: 'jsonc',
  locations: (host) => [[user(host)], inFolder(host, path, at)],
  scope: 'folder',
  target: (host, scope) => [scope === 'folder' ? here(host, path, at) : user(host)],
  entry: plainEntry,
}
