import { join } from 'node:path'
import type { ClientFiles, Place, Surroundings } from './client-files.ts'
import { stdioEntry } from './entries.ts'
import { foldersAround, here, inFolder } from './folders.ts'

const at = ['mcpServers']
const way = ['.mcp.json']

const user = ({ variables, home }: Surroundings): Place => ({
  file: join(variables['CLAUDE_CONFIG_DIR'] || home, '.claude.json'),
  at,
})

export const claudeCode: ClientFiles = {
  title: 'Claude Code',
  format: 'jsonc',
  places: (around) => [
    [user(around)],
    foldersAround(around).map((folder) => ({
      file: user(around).file,
      at: ['projects', folder, 'mcpServers'],
      folder,
      product: 'Claude Code, local',
    })),
    inFolder(around, way, at),
  ],
  scope: 'folder',
  // It starts servers where it is started itself.
  folderItself: '.',
  target: (around, scope) => [scope === 'folder' ? here(around, way, at) : user(around)],
  entry: stdioEntry,
}
