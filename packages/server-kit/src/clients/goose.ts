import { join } from 'node:path'
import { type Client, usual } from './entries/client.ts'
import {
  address,
  asIs,
  dropped,
  EntryRefused,
  launchRules,
  onlyTools,
  type Rule,
  record,
  recordOf,
  text,
  time,
  transport,
} from './entries/rules.ts'
import { applicationFolder, configFolder, type HostEnvironment } from './locations/location.ts'

const user = (host: HostEnvironment): string[] => [
  host.platform === 'win32'
    ? join(applicationFolder(host), 'Block', 'goose', 'config', 'config.yaml')
    : join(configFolder(host), 'goose', 'config.yaml'),
]

/** For lists that mean nothing if they are empty. */
const unlessEmpty =
  (rule: Rule): Rule =>
  (value, key, context) =>
    Array.isArray(value) && value.length === 0 ? undefined : rule(value, key, context)

const storedSecrets: Rule = (_, key) => {
  throw new EntryRefused(`Its secrets are stored by Goose, and cannot be read (${key}).`)
}

export const goose: Client = {
  name: 'goose',
  title: 'Goose',
  ...usual(['extensions'], user),
  format: 'yaml',
  entry: ({ command, args }, name) => ({
    name,
    type: 'stdio',
    enabled: true,
    cmd: command,
    args: [...args],
    timeout: 300,
  }),
  provide: ({ timeoutSeconds }, { timeout }) => ({
    timeout: Math.max(Number(timeout ?? 300), timeoutSeconds),
  }),
  passesVariables: true,
  rules: {
    ...launchRules,
    name: dropped,
    display_name: dropped,
    bundled: dropped,
    description: asIs,
    enabled: asIs,
    type: transport({ streamable_http: 'http' }),
    cmd: (value, _, context) => text(value, 'command', context),
    envs: (value, _, context) => ({ env: recordOf(value, 'env', context) }),
    env_keys: unlessEmpty(storedSecrets),
    uri: (value, _, context) => address(value, 'url', context),
    headers: record,
    timeout: time('timeoutSeconds', 1),
    available_tools: unlessEmpty(onlyTools),
  },
  commands: ['goose'],
  skills: ['.agents/skills', '.agents/skills'],
  rulesIn: ['AGENTS.md', '.config/goose/.goosehints'],
}
