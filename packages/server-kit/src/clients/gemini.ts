import { join } from 'node:path'
import { isTable, valueAt } from '#base/table'
import { type Client, plainEntry } from './entries/client.ts'
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
import { type ConfigLocation, type HostEnvironment, here, inFolder } from './locations/location.ts'

const path = ['.gemini', 'settings.json']
const at = ['mcpServers']

const homeOf = ({ home, variables }: HostEnvironment): string =>
  variables['GEMINI_CLI_HOME'] || home

const user = (host: HostEnvironment): ConfigLocation => ({ file: join(homeOf(host), ...path), at })

const antigravity = (host: HostEnvironment): ConfigLocation => ({
  file: join(homeOf(host), '.gemini', 'config', 'mcp_config.json'),
  at,
  product: 'Antigravity CLI',
})

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
  format: 'jsonc',
  locations: (host) => [[user(host)], [antigravity(host)], inFolder(host, path, at)],
  otherFiles: (host) => ({
    enablement: join(homeOf(host), '.gemini', 'mcp-server-enablement.json'),
  }),
  scope: 'folder',
  target: (host, scope) => [scope === 'folder' ? here(host, path, at) : user(host)],
  entry: plainEntry,
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
    if (isTwice) note('Gemini CLI prefers httpUrl to url.')
    return {
      ...(off !== undefined && { disabled: true }),
      ...(isTwice && { url: undefined }),
    }
  },
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
