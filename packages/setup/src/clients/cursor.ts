import { join } from 'node:path'
import type { ClientFiles, Place, Surroundings } from './client-files.ts'
import { plainEntry } from './entries.ts'
import { here, inFolder } from './folders.ts'

const way = ['.cursor', 'mcp.json']
const at = ['mcpServers']

const user = ({ home }: Surroundings): Place => ({ file: join(home, ...way), at })

export const cursor: ClientFiles = {
  title: 'Cursor',
  format: 'jsonc',
  places: (around) => [[user(around)], inFolder(around, way, at)],
  scope: 'folder',
  folderItself: '${workspaceFolder}',
  target: (around, scope) => [scope === 'folder' ? here(around, way, at) : user(around)],
  entry: plainEntry,
}
