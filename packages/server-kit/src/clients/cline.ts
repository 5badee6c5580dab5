import { dirname, join } from 'node:path'
import { type Client, usual } from './entries/client.ts'
import { asIs, dropped, serverRules, time } from './entries/rules.ts'
import type { ConfigLocation, HostEnvironment } from './locations/location.ts'
import { vscodeUser } from './vscode.ts'

const at = ['mcpServers']
const file = join('settings', 'cline_mcp_settings.json')

function user({ home, variables }: HostEnvironment): ConfigLocation {
  const {
    CLINE_MCP_SETTINGS_PATH: settingsPath,
    CLINE_DIR: folder,
    CLINE_DATA_DIR: data,
  } = variables
  return {
    file: settingsPath || join(data || join(folder || join(home, '.cline'), 'data'), file),
    at,
  }
}

const extension = (host: HostEnvironment): ConfigLocation => ({
  file: join(vscodeUser(host, 'Code'), 'globalStorage', 'saoudrizwan.claude-dev', file),
  at,
  product: 'Cline, the older extension',
})

export const cline: Client = {
  name: 'cline',
  title: 'Cline',
  ...usual(at, () => []),
  locations: (host) => [[user(host)], [extension(host)]],
  target: (host, scope) => (scope === 'user' ? [extension(host), user(host)] : []),
  provide: ({ timeoutSeconds }, existing) => ({
    timeout: Math.max(Number(existing['timeout'] ?? 0), timeoutSeconds),
  }),
  rules: {
    ...serverRules,
    transportType: serverRules.type,
    disabled: asIs,
    autoApprove: dropped,
    alwaysAllow: dropped,
    timeout: time('timeoutSeconds', 1),
  },
  complete: ({ url, type }) => (url !== undefined && type === undefined ? { type: 'sse' } : {}),
  commands: ['cline'],
  traces: (host) => [
    host.variables['CLINE_DIR'] || join(host.home, '.cline'),
    dirname(dirname(extension(host).file)),
  ],
  skills: [undefined, '.cline/skills'],
}
