import { join } from 'node:path'
import type { ClientFiles, Place, Surroundings } from './client-files.ts'
import { plainEntry } from './entries.ts'
import { vscodeUser } from './vscode.ts'

const at = ['mcpServers']
const file = join('settings', 'cline_mcp_settings.json')

function user({ home, variables }: Surroundings): Place {
  const { CLINE_MCP_SETTINGS_PATH: told, CLINE_DIR: folder, CLINE_DATA_DIR: data } = variables
  return { file: told || join(data || join(folder || join(home, '.cline'), 'data'), file), at }
}

const extension = (around: Surroundings): Place => ({
  file: join(vscodeUser(around, 'Code'), 'globalStorage', 'saoudrizwan.claude-dev', file),
  at,
  product: 'Cline, the older extension',
})

export const cline: ClientFiles = {
  title: 'Cline',
  format: 'jsonc',
  places: (around) => [[user(around)], [extension(around)]],
  scope: 'user',
  target: (around, scope) => (scope === 'user' ? [extension(around), user(around)] : []),
  entry: plainEntry,
}
