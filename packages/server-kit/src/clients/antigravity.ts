import { join } from 'node:path'
import { type Client, usual } from './entries/client.ts'
import { address, asIs, hiddenTools, ownSignIn, serverRules, signIn } from './entries/rules.ts'
import type { HostEnvironment } from './locations/location.ts'

function user({ home }: HostEnvironment): string[] {
  const [before2, file] = ['antigravity', 'config'].map((folder) =>
    join(home, '.gemini', folder, 'mcp_config.json'),
  ) as [string, string]
  return [file, before2, file]
}

export const antigravity: Client = {
  name: 'antigravity',
  title: 'Antigravity',
  ...usual(['mcpServers'], user, ['.agents', 'mcp_config.json']),
  rules: {
    ...serverRules,
    serverUrl: address,
    disabled: asIs,
    disabledTools: hiddenTools,
    authProviderType: ownSignIn,
    oauth: signIn({ clientId: 'clientId', clientSecret: 'clientSecret', scopes: 'scope' }),
  },
  commands: ['antigravity', 'agy'],
  traces: (host) => user(host).map((file) => join(file, '..')),
  skills: ['.agents/skills', '.gemini/config/skills'],
  rulesIn: [undefined, '.gemini/GEMINI.md'],
}
