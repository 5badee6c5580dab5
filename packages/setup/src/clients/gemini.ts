import { join } from 'node:path'
import type { ClientFiles, Place, Surroundings } from './client-files.ts'
import { plainEntry } from './entries.ts'
import { here, inFolder } from './folders.ts'

const way = ['.gemini', 'settings.json']
const at = ['mcpServers']

const homeOf = ({ home, variables }: Surroundings): string => variables['GEMINI_CLI_HOME'] || home

const user = (around: Surroundings): Place => ({ file: join(homeOf(around), ...way), at })

const antigravity = (around: Surroundings): Place => ({
  file: join(homeOf(around), '.gemini', 'config', 'mcp_config.json'),
  at,
  product: 'Antigravity CLI',
})

export const gemini: ClientFiles = {
  title: 'Gemini CLI',
  format: 'jsonc',
  places: (around) => [[user(around)], [antigravity(around)], inFolder(around, way, at)],
  scope: 'folder',
  target: (around, scope) => [scope === 'folder' ? here(around, way, at) : user(around)],
  entry: plainEntry,
}
