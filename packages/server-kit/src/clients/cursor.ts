import { join } from 'node:path'
import { type Client, plainEntry } from './entries/client.ts'
import { braced, type Dialect, editorMeanings, launchFields } from './entries/dialect.ts'
import { asIs, envFile, serverRules, signIn } from './entries/rules.ts'
import { type ConfigLocation, type HostEnvironment, here, inFolder } from './locations/location.ts'

const path = ['.cursor', 'mcp.json']
const at = ['mcpServers']

const user = ({ home }: HostEnvironment): ConfigLocation => ({ file: join(home, ...path), at })

const dialect: Dialect = {
  token: braced,
  fields: [...launchFields, 'auth'],
  meanings: editorMeanings,
}

export const cursor: Client = {
  name: 'cursor',
  title: 'Cursor',
  infoName: 'cursor-vscode',
  format: 'jsonc',
  locations: (host) => [[user(host)], inFolder(host, path, at)],
  scope: 'folder',
  target: (host, scope) => [scope === 'folder' ? here(host, path, at) : user(host)],
  entry: plainEntry,
  folderItself: '${workspaceFolder}',
  passesVariables: false,
  dialect,
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
}
