import { join } from 'node:path'
import type { ClientFiles, Place, Surroundings } from './client-files.ts'
import { plainEntry } from './entries.ts'
import { applicationFolder, inFolder } from './folders.ts'

const at = ['mcpServers']
const file = 'mcp_config.json'

const user = ({ home }: Surroundings): Place => ({
  file: join(home, '.codeium', 'windsurf', file),
  at,
  product: 'Windsurf',
})

function others(around: Surroundings): Place[] {
  const { home, platform } = around
  const devin = platform === 'win32' ? applicationFolder(around) : join(home, '.config')
  return [
    { file: join(home, '.codeium', file), at, product: 'Windsurf for JetBrains' },
    { file: join(devin, 'devin', file), at, product: 'Devin' },
  ]
}

export const windsurf: ClientFiles = {
  title: 'Windsurf',
  format: 'jsonc',
  places: (around) => [
    [user(around)],
    ...others(around).map((place) => [place]),
    inFolder(around, ['.devin', file], at).map((place) => ({ ...place, product: 'Devin' })),
  ],
  scope: 'user',
  target: (around, scope) => (scope === 'user' ? [user(around)] : []),
  entry: plainEntry,
}
