import { join } from 'node:path'
import type { ClientConfig } from './client.ts'
import { foldersAround } from './locations/folders.ts'
import type { ConfigLocation, HostEnvironment } from './locations/location.ts'

const names = ['opencode.jsonc', 'opencode.json']

/** OpenCode 2 may have its servers one level deeper; it also reads files of OpenCode 1. */
const placesIn = (file: string, folder?: string): ConfigLocation[] =>
  [['mcp', 'servers'], ['mcp']].map((at) => ({ file, at, ...(folder !== undefined && { folder }) }))

/** If both files exist, both are read. */
const user = ({ home, variables }: HostEnvironment): ConfigLocation[][] => {
  const folder = join(variables['XDG_CONFIG_HOME'] || join(home, '.config'), 'opencode')
  return names.map((name) => placesIn(join(folder, name)))
}

const fromVariable = ({
  variables: { OPENCODE_CONFIG: file },
}: HostEnvironment): ConfigLocation[][] => (file ? [placesIn(file)] : [])

const inFolders = (host: HostEnvironment): ConfigLocation[][] =>
  foldersAround(host).flatMap((folder) =>
    [...names, ...names.map((name) => join('.opencode', name))].map((name) =>
      placesIn(join(folder, name), folder),
    ),
  )

export const opencode: ClientConfig = {
  title: 'OpenCode',
  format: 'jsonc',
  locations: (host) => [...user(host), ...fromVariable(host), ...inFolders(host)],
  scope: 'folder',
  target: (host, scope) =>
    scope === 'user'
      ? user(host).flat()
      : names.flatMap((name) => placesIn(join(host.cwd, name), host.cwd)),
  entry: ({ command, args }) => ({ type: 'local', command: [command, ...args] }),
}
