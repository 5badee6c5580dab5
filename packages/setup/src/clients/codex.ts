import { join } from 'node:path'
import type { ClientFiles, Place, Surroundings } from './client-files.ts'
import { plainEntry } from './entries.ts'
import { here, inFolder } from './folders.ts'

const at = ['mcp_servers']
const way = ['.codex', 'config.toml']

const user = ({ home, variables }: Surroundings): Place => ({
  file: join(variables['CODEX_HOME'] || join(home, '.codex'), 'config.toml'),
  at,
})

export const codex: ClientFiles = {
  title: 'Codex',
  format: 'toml',
  places: (around) => [[user(around)], inFolder(around, way, at)],
  // It reads the files of those folders only that were trusted.
  scope: 'user',
  target: (around, scope) => [scope === 'folder' ? here(around, way, at) : user(around)],
  entry: plainEntry,
}
