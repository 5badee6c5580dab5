import { type Client, usualIn } from './entries/client.ts'
import { braced, editorMeanings, launchFields } from './entries/dialect.ts'
import { asIs, envFile, serverRules, signIn } from './entries/rules.ts'

export const cursor: Client = {
  name: 'cursor',
  title: 'Cursor',
  infoName: 'cursor-vscode',
  ...usualIn('mcpServers', '.cursor', 'mcp.json'),
  scope: 'folder',
  folderItself: '${workspaceFolder}',
  dialect: { token: braced, fields: [...launchFields, 'auth'], meanings: editorMeanings },
  rules: {
    ...serverRules,
    envFile,
    auth: signIn({ CLIENT_ID: 'clientId', CLIENT_SECRET: 'clientSecret', scopes: 'scope' }),
    disabled: asIs,
  },
  complete(entry, { note }) {
    if (/(?<=\$)\$\{[A-Za-z_]\w*\}/.test(JSON.stringify(entry)))
      note(
        'Cursor replaces ${env:NAME} only. ${NAME} reaches the server unchanged, and still does.',
      )
    return {}
  },
  commands: ['cursor', 'cursor-agent'],
  skills: ['.cursor/skills', '.cursor/skills'],
  rulesIn: ['AGENTS.md'],
}
