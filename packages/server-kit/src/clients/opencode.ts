import { join } from 'node:path'
import type { Client } from './entries/client.ts'
import { type Dialect, unknownTo, variableName } from './entries/dialect.ts'
import {
  address,
  asIs,
  EntryRefused,
  type Rule,
  record,
  recordOf,
  signIn,
  text,
  texts,
  time,
  transport,
} from './entries/rules.ts'
import {
  type ConfigLocation,
  configFolder,
  foldersAround,
  type HostEnvironment,
} from './locations/location.ts'

const names = ['opencode.jsonc', 'opencode.json']

/** OpenCode 2 may have its servers one level deeper; it also reads files of OpenCode 1. */
const locationsIn = (file: string, folder?: string): ConfigLocation[] =>
  [['mcp', 'servers'], ['mcp']].map((at) => ({ file, at, ...(folder !== undefined && { folder }) }))

/** If both files exist, both are read. */
const user = (host: HostEnvironment): ConfigLocation[][] =>
  names.map((name) => locationsIn(join(configFolder(host), 'opencode', name)))

const fromVariable = ({
  variables: { OPENCODE_CONFIG: file },
}: HostEnvironment): ConfigLocation[][] => (file ? [locationsIn(file)] : [])

const inFolders = (host: HostEnvironment): ConfigLocation[][] =>
  foldersAround(host).flatMap((folder) =>
    [...names, ...names.map((name) => join('.opencode', name))].map((name) =>
      locationsIn(join(folder, name), folder),
    ),
  )

const dialect: Dialect = {
  token: /\{(?:env|file):[^}]*\}/g,
  fields: ['command', 'environment', 'cwd', 'url', 'headers', 'oauth'],
  meanings: [
    // OpenCode replaces a variable that is not set by an empty text.
    [
      new RegExp(`^\\{env:(${variableName})\\}$`),
      ([, variable = '']) => ({ variable: `\${${variable}:-}` }),
    ],
    [
      /^\{file:([/~][^}$]*)\}$/,
      ([, path = ''], { note }) => {
        note(`${path} must be readable by its owner only (chmod 600).`)
        return { variable: `\${file:${path}}` }
      },
    ],
    [/^\{/, unknownTo('OpenCode')],
  ],
}

/** One list holds the command and its arguments. */
const command: Rule = (value, key, context) => {
  if (!Array.isArray(value) || value.length === 0) throw new EntryRefused(`${key} must be a list.`)
  const [program, ...args] = value
  return { ...text(program, key, context), args: texts(args, key, context)?.[key] }
}

const oauth: Rule = (value, key, context) =>
  value === false
    ? undefined
    : signIn({
        clientId: 'clientId',
        clientSecret: 'clientSecret',
        scope: 'scope',
        callbackPort: 'port',
      })(value, key, context)

export const opencode: Client = {
  name: 'opencode',
  title: 'OpenCode',
  format: 'jsonc',
  locations: (host) => [...user(host), ...fromVariable(host), ...inFolders(host)],
  scope: 'folder',
  target: (host, scope) =>
    scope === 'user'
      ? user(host).flat()
      : names.flatMap((name) => locationsIn(join(host.cwd, name), host.cwd)),
  entry: ({ command, args }) => ({ type: 'local', command: [command, ...args] }),
  provide: (_, { timeout }) => ({
    // OpenCode waits 5 s for tools by default; a cold start takes longer.
    ...(typeof timeout !== 'object' && { timeout: Math.max(Number(timeout ?? 0), 60_000) }),
  }),
  passesVariables: true,
  dialect,
  rules: {
    type: transport({ local: 'stdio', remote: 'http' }),
    command,
    environment: (value, key, context) => ({ env: recordOf(value, key, context) }),
    cwd: text,
    url: address,
    headers: record,
    oauth,
    enabled: asIs,
    disabled: asIs,
    timeout: time('startTimeoutSeconds', 1_000),
  },
  commands: ['opencode'],
  skills: ['.opencode/skills', '.config/opencode/skills'],
  rulesIn: ['AGENTS.md', '.config/opencode/AGENTS.md'],
}
