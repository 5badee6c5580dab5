import { join } from 'node:path'
import { isTable, valueAt } from '#base/table'
import { type Client, usual } from './entries/client.ts'
import { type Dialect, launchFields, sameName, variableName } from './entries/dialect.ts'
import {
  address,
  asIs,
  dropped,
  type EntryContext,
  hiddenTools,
  onlyTools,
  ownSignIn,
  type Rule,
  serverRules,
  signIn,
  stays,
  time,
} from './entries/rules.ts'
import type { HostEnvironment } from './locations/location.ts'

const path = ['.gemini', 'settings.json']

const homeOf = ({ home, variables }: HostEnvironment): string =>
  variables['GEMINI_CLI_HOME'] || home

const user = (host: HostEnvironment): string[] => [join(homeOf(host), ...path)]

const dialect: Dialect = {
  token: /\$\{[^}]*\}|\$\w+/g,
  fields: [...launchFields, 'httpUrl', 'oauth'],
  meanings: [
    [new RegExp(`^\\$\\{${variableName}(?::-[^}]*)?\\}$`), sameName],
    [
      new RegExp(`^\\$(${variableName})$`),
      ([, variable = '']) => ({ variable: `\${${variable}}` }),
    ],
  ],
}

const oauth: Rule = (value, key, context) => {
  if (isTable(value) && value['enabled'] === false) return undefined
  const keys = { clientId: 'clientId', clientSecret: 'clientSecret', scopes: 'scope' } as const
  return signIn({ ...keys, enabled: undefined })(value, key, context)
}

export const gemini: Client = {
  name: 'gemini',
  title: 'Gemini CLI',
  infoName: 'gemini-cli-mcp-client',
  ...usual(['mcpServers'], user, path),
  otherFiles: (host) => ({
    enablement: join(homeOf(host), '.gemini', 'mcp-server-enablement.json'),
  }),
  scope: 'folder',
  provide: ({ variables, timeoutSeconds }, existing) => ({
    // Gemini CLI removes variables named like secrets unless the entry lists them.
    ...(variables.length > 0 && {
      env: {
        ...Object.fromEntries(variables.map((name) => [name, `$${name}`])),
        ...(isTable(existing['env']) ? existing['env'] : {}),
      },
    }),
    ...(timeoutSeconds > 600 && {
      timeout: Math.max(Number(existing['timeout'] ?? 0), timeoutSeconds * 1_000),
    }),
  }),
  passesVariables: true,
  dialect,
  rules: {
    ...serverRules,
    httpUrl: address,
    tcp: stays('Only Gemini CLI supports tcp'),
    timeout: time('timeoutSeconds', 1_000),
    trust: dropped,
    description: asIs,
    includeTools: onlyTools,
    excludeTools: hiddenTools,
    oauth,
    authProviderType: ownSignIn,
    targetAudience: ownSignIn,
    targetServiceAccount: ownSignIn,
    disabled: asIs,
  },
  complete(entry, context) {
    const { note } = context
    const off = whyOff(context)
    if (off !== undefined) note(`It is disabled in ${off} and stays disabled.`)
    const isTwice = entry['httpUrl'] !== undefined && entry['url'] !== undefined
    if (isTwice) note('httpUrl goes before url.')
    return {
      ...(off !== undefined && { disabled: true }),
      ...(isTwice && { url: undefined }),
    }
  },
  commands: ['gemini'],
  // Antigravity has its files in the same folder.
  traces: user,
  skills: ['.gemini/skills', '.gemini/skills'],
  rulesIn: ['GEMINI.md', '.gemini/GEMINI.md'],
}

function whyOff({ name, root, otherFiles }: EntryContext): string | undefined {
  const small = name.toLowerCase()
  const names = (key: string): string[] | undefined => {
    const list = valueAt(root, ['mcp', key])
    return Array.isArray(list) ? list.map((server) => String(server).toLowerCase()) : undefined
  }
  if (names('excluded')?.includes(small)) return 'mcp.excluded'
  if (names('allowed')?.includes(small) === false) return 'mcp.allowed'
  return valueAt(otherFiles['enablement'], [small, 'enabled']) === false
    ? 'mcp-server-enablement.json'
    : undefined
}
