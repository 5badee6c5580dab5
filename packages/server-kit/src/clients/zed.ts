import { join } from 'node:path'
import type { ClientConfig } from './client.ts'
import { plainEntry } from './entries/plain-entry.ts'
import { here, inFolder } from './locations/folders.ts'
import type { ConfigLocation, HostEnvironment } from './locations/location.ts'

const at = ['context_servers']
const path = ['.zed', 'settings.json']

function user({ platform, home, variables }: HostEnvironment): ConfigLocation {
  if (platform === 'win32') {
    const roaming = variables['APPDATA'] || join(home, 'AppData', 'Roaming')
    return { file: join(roaming, 'Zed', 'settings.json'), at }
  }
  const config = platform === 'linux' ? variables['XDG_CONFIG_HOME'] : undefined
  return { file: join(config || join(home, '.config'), 'zed', 'settings.json'), at }
}

export const zed: ClientConfig = {
  title: 'Zed',
  format: 'jsonc',
  locations: (host) => [[user(host)], inFolder(host, path, at)],
  scope: 'user',
  target: (host, scope) => [scope === 'folder' ? here(host, path, at) : user(host)],
  entry: (launch) => ({ source: 'custom', ...plainEntry(launch) }),
}
