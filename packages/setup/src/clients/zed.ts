import { join } from 'node:path'
import type { ClientFiles, Place, Surroundings } from './client-files.ts'
import { plainEntry } from './entries.ts'
import { here, inFolder } from './folders.ts'

const at = ['context_servers']
const way = ['.zed', 'settings.json']

function user({ platform, home, variables }: Surroundings): Place {
  if (platform === 'win32') {
    const roaming = variables['APPDATA'] || join(home, 'AppData', 'Roaming')
    return { file: join(roaming, 'Zed', 'settings.json'), at }
  }
  const config = platform === 'linux' ? variables['XDG_CONFIG_HOME'] : undefined
  return { file: join(config || join(home, '.config'), 'zed', 'settings.json'), at }
}

export const zed: ClientFiles = {
  title: 'Zed',
  format: 'jsonc',
  places: (around) => [[user(around)], inFolder(around, way, at)],
  scope: 'user',
  target: (around, scope) => [scope === 'folder' ? here(around, way, at) : user(around)],
  entry: (launch) => ({ source: 'custom', ...plainEntry(launch) }),
}
