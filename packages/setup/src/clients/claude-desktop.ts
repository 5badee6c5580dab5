import { join } from 'node:path'
import type { ClientFiles, Place, Surroundings } from './client-files.ts'
import { plainEntry } from './entries.ts'
import { applicationFolder } from './folders.ts'

const file = 'claude_desktop_config.json'
const at = ['mcpServers']

function user(around: Surroundings): Place[] {
  const { home, platform, variables } = around
  const local = variables['LOCALAPPDATA'] || join(home, 'AppData', 'Local')
  // Installed as a package it reads a copy of its own, and the other file no more.
  const packaged = ['Packages', 'Claude_*', 'LocalCache', 'Roaming', 'Claude', file]
  return [
    ...(platform === 'win32' ? [{ file: join(local, ...packaged), at }] : []),
    { file: join(applicationFolder(around), 'Claude', file), at },
  ]
}

export const claudeDesktop: ClientFiles = {
  title: 'Claude Desktop',
  format: 'jsonc',
  places: (around) => [user(around)],
  scope: 'user',
  target: (around, scope) => (scope === 'user' ? user(around) : []),
  entry: plainEntry,
}
