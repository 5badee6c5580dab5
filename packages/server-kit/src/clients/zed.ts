import { join } from 'node:path'
import { isTable } from '#base/table'
import { type Client, plainEntry } from './entries/client.ts'
import { noVariables } from './entries/dialect.ts'
import {
  address,
  asIs,
  dropped,
  EntryRefused,
  type Rule,
  record,
  recordOf,
  text,
  texts,
} from './entries/rules.ts'
import {
  applicationFolder,
  type ConfigLocation,
  type HostEnvironment,
  here,
  inFolder,
} from './locations/location.ts'

const at = ['context_servers']
const path = ['.zed', 'settings.json']

function user(host: HostEnvironment): ConfigLocation {
  const { platform, home, variables } = host
  if (platform === 'win32')
    return { file: join(applicationFolder(host), 'Zed', 'settings.json'), at }
  const config = platform === 'linux' ? variables['XDG_CONFIG_HOME'] : undefined
  return { file: join(config || join(home, '.config'), 'zed', 'settings.json'), at }
}

/** Older entries hold path, args and env in one object. */
const command: Rule = (value, key, context) => {
  if (!isTable(value)) return text(value, key, context)
  const { path, args = [], env } = value
  return {
    ...text(path, 'command', context),
    ...texts(args, 'args', context),
    ...(isTable(env) && { env: recordOf(env, 'env', context) }),
  }
}

export const zed: Client = {
  name: 'zed',
  title: 'Zed',
  format: 'jsonc',
  locations: (host) => [[user(host)], inFolder(host, path, at)],
  scope: 'user',
  target: (host, scope) => [scope === 'folder' ? here(host, path, at) : user(host)],
  entry: (launch) => ({ source: 'custom', ...plainEntry(launch) }),
  passesVariables: false,
  dialect: noVariables,
  rules: {
    source(value) {
      if (value === 'extension') throw new EntryRefused('An extension of Zed starts it.')
      return undefined
    },
    enabled: asIs,
    command,
    args: texts,
    env: record,
    url: address,
    headers: record,
    settings: dropped,
  },
}
