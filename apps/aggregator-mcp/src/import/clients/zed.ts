import { join } from 'node:path'
import { type Client, isTable, type Surroundings } from '../client.ts'
import { noVariables } from '../entry/dialect.ts'
import { NotMoved } from '../entry/not-moved.ts'
import { address, asIs, leftOut, type Rule, record, recordOf, text, texts } from '../entry/rules.ts'
import { inFolder } from './folders.ts'

const at = ['context_servers']

function folderOf({ platform, home, variables }: Surroundings): string {
  if (platform === 'win32')
    return join(variables['APPDATA'] || join(home, 'AppData', 'Roaming'), 'Zed')
  const config = platform === 'linux' ? variables['XDG_CONFIG_HOME'] : undefined
  return join(config || join(home, '.config'), 'zed')
}

/** Older entries have all of it in one object. */
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
  places: (around) => [
    [{ file: join(folderOf(around), 'settings.json'), at }],
    inFolder(around, ['.zed', 'settings.json'], at),
  ],
  dialect: noVariables,
  rules: {
    source(value) {
      if (value === 'extension') throw new NotMoved('it is started by an extension of Zed')
      return undefined
    },
    enabled: asIs,
    command,
    args: texts,
    env: record,
    url: address,
    headers: record,
    settings: leftOut,
  },
  own: () => ({ source: 'custom' }),
  handsOnVariables: false,
}
