import { join } from 'node:path'
import { isTable } from '#base/table'
import { type Client, plainEntry, usual } from './entries/client.ts'
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
import { applicationFolder, type HostEnvironment } from './locations/location.ts'

function user(host: HostEnvironment): string[] {
  const { platform, home, variables } = host
  if (platform === 'win32') return [join(applicationFolder(host), 'Zed', 'settings.json')]
  const config = platform === 'linux' ? variables['XDG_CONFIG_HOME'] : undefined
  return [join(config || join(home, '.config'), 'zed', 'settings.json')]
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
  ...usual(['context_servers'], user, ['.zed', 'settings.json']),
  entry: (launch) => ({ source: 'custom', ...plainEntry(launch) }),
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
  commands: ['zed', 'zeditor'],
  skills: ['.agents/skills', '.agents/skills'],
  rulesIn: ['AGENTS.md', '.config/zed/AGENTS.md'],
}
