import { join } from 'node:path'
import { isTable, valueAt } from '../files/table.ts'
import type { Client } from './client.ts'
import { geminiVariables } from './entries/dialect.ts'
import type { EntryContext } from './entries/entry-context.ts'
import {
  address,
  asIs,
  dropped,
  hiddenTools,
  onlyTools,
  ownSignIn,
  type Rule,
  record,
  signIn,
  stays,
  text,
  texts,
  time,
  transport,
} from './entries/rules.ts'
import { gemini as config } from './gemini.ts'

const oauth: Rule = (value, key, context) => {
  if (isTable(value) && value['enabled'] === false) return undefined
  const keys = { clientId: 'clientId', clientSecret: 'clientSecret', scopes: 'scope' } as const
  return signIn({ ...keys, enabled: undefined })(value, key, context)
}

export const gemini: Client = {
  ...config,
  name: 'gemini',
  otherFiles: ({ home, variables }) => ({
    enablement: join(variables['GEMINI_CLI_HOME'] || home, '.gemini', 'mcp-server-enablement.json'),
  }),
  dialect: geminiVariables,
  rules: {
    command: text,
    args: texts,
    env: record,
    cwd: text,
    type: transport(),
    url: address,
    httpUrl: address,
    headers: record,
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
}

function whyOff({ name, root, otherFiles }: EntryContext): string | undefined {
  const small = name.toLowerCase()
  const names = (key: string): string[] | undefined => {
    const list = valueAt(root, ['mcp', key])
    return Array.isArray(list) ? list.map((one) => String(one).toLowerCase()) : undefined
  }
  if (names('excluded')?.includes(small)) return 'mcp.excluded'
  if (names('allowed')?.includes(small) === false) return 'mcp.allowed'
  return valueAt(otherFiles['enablement'], [small, 'enabled']) === false
    ? 'mcp-server-enablement.json'
    : undefined
}
