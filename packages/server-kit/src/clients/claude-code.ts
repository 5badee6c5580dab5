import { join } from 'node:path'
import type { ClientConfig } from './client.ts'
import { stdioEntry } from './entries/plain-entry.ts'
import { foldersAround, here, inFolder } from './locations/folders.ts'
import type { ConfigLocation, HostEnvironment } from './locations/location.ts'

const at = ['mcpServers']
const path = ['.mcp.json']

const user = ({ variables, home }: HostEnvironment): ConfigLocation => ({
  file: join(variables['CLAUDE_CONFIG_DIR'] || home, '.claude.json'),
  at,
})

export const claudeCode: ClientConfig = {
  title: 'Claude Code',
  format: 'jsonc',
  locations: (host) => [
    [user(host)],
    foldersAround(host).map((folder) => ({
      file: user(host).file,
      at: ['projects', folder, 'mcpServers'],
      folder,
      product: 'Claude Code, local',
    })),
    inFolder(host, path, at),
  ],
  scope: 'folder',
  // It starts servers in the folder in which it is started.
  folderItself: '.',
  target: (host, scope) => [scope === 'folder' ? here(host, path, at) : user(host)],
  entry: stdioEntry,
}
