import { clients } from '@pith-mcp/server-kit/clients'
import type { Client } from '../entry/client.ts'
import { cursorVariables } from '../entry/dialect.ts'
import { address, asIs, envFile, record, signIn, text, texts, transport } from '../entry/rules.ts'

export const cursor: Client = {
  ...clients.cursor,
  name: 'cursor',
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
        'Cursor replaces ${env:NAME} only. ${NAME} reaches the server unchanged, and still does.',
      )
    return {}
  },
  passesVariables: false,
}
