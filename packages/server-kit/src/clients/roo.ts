import { join } from 'node:path'
import { cline } from './cline.ts'
import { type Client, usual } from './entries/client.ts'
import { braced, editorMeanings, launchFields } from './entries/dialect.ts'
import { asIs, dropped, hiddenTools, serverRules, time } from './entries/rules.ts'
import type { HostEnvironment } from './locations/location.ts'
import { vscodeUser } from './vscode.ts'

const extension = (host: HostEnvironment): string =>
  join(vscodeUser(host, 'Code'), 'globalStorage', 'rooveterinaryinc.roo-cline')

export const roo: Client = {
  name: 'roo',
  title: 'Roo Code',
  ...usual(['mcpServers'], (host) => [join(extension(host), 'settings', 'mcp_settings.json')], [
    '.roo',
    'mcp.json',
  ]),
  ...(cline.provide && { provide: cline.provide }),
  dialect: { token: braced, fields: launchFields, meanings: editorMeanings },
  rules: {
    ...serverRules,
    disabled: asIs,
    alwaysAllow: dropped,
    disabledTools: hiddenTools,
    timeout: time('timeoutSeconds', 1),
    watchPaths: dropped,
  },
  commands: [],
  traces: (host) => [extension(host)],
  skills: ['.roo/skills', '.roo/skills'],
  rulesIn: ['AGENTS.md'],
}
