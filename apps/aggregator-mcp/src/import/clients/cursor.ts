import { join } from 'node:path'
import type { Client } from '../client.ts'
import { cursorVariables } from '../entry/dialect.ts'
import { address, asIs, envFile, record, signIn, text, texts, transport } from '../entry/rules.ts'
import { inFolder } from './folders.ts'

const way = ['.cursor', 'mcp.json']
const at = ['mcpServers']

export const cursor: Client = {
  name: 'cursor',
  title: 'Cursor',
  format: 'jsonc',
  places: (around) => [[{ file: join(around.home, ...way), at }], inFolder(around, way, at)],
  dialect: cursorVariables,
  rules: {
    type: transport(),
    command: text,
    args: texts,
    env: record,
    cwd: text,
    envFile,
    url: address,
    headers: record,
    auth: signIn({ CLIENT_ID: 'clientId', CLIENT_SECRET: 'clientSecret', scopes: 'scope' }),
    disabled: asIs,
  },
  complete(entry, { note }) {
    if (/(?<=\$)\$\{[A-Za-z_]\w*\}/.test(JSON.stringify(entry)))
      note(
        'Cursor puts in ${env:NAME} only: ${NAME} reaches the server as it stands, and still does',
      )
    return {}
  },
  handsOnVariables: false,
}
