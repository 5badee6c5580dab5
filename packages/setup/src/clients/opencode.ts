import { join } from 'node:path'
import type { ClientFiles, Place, Surroundings } from './client-files.ts'
import { foldersAround } from './folders.ts'

const names = ['opencode.jsonc', 'opencode.json']

/** OpenCode 2 may have its servers one step deeper; it reads files of OpenCode 1 as they are. */
const placesIn = (file: string, folder?: string): Place[] =>
  [['mcp', 'servers'], ['mcp']].map((at) => ({ file, at, ...(folder !== undefined && { folder }) }))

/** Both files count where both are there. */
const user = ({ home, variables }: Surroundings): Place[][] => {
  const folder = join(variables['XDG_CONFIG_HOME'] || join(home, '.config'), 'opencode')
  return names.map((name) => placesIn(join(folder, name)))
}

const told = ({ variables: { OPENCODE_CONFIG: file } }: Surroundings): Place[][] =>
  file ? [placesIn(file)] : []

const inFolders = (around: Surroundings): Place[][] =>
  foldersAround(around).flatMap((folder) =>
    [...names, ...names.map((name) => join('.opencode', name))].map((name) =>
      placesIn(join(folder, name), folder),
    ),
  )

export const opencode: ClientFiles = {
  title: 'OpenCode',
  format: 'jsonc',
  places: (around) => [...user(around), ...told(around), ...inFolders(around)],
  scope: 'folder',
  target: (around, scope) =>
    scope === 'user'
      ? user(around).flat()
      : names.flatMap((name) => placesIn(join(around.cwd, name), around.cwd)),
  entry: ({ command, args }) => ({ type: 'local', command: [command, ...args] }),
}
