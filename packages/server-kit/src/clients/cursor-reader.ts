import type { Client } from './client.ts'
import { cursor as config } from './cursor.ts'
import { cursorVariables } from './entries/dialect.ts'
import { address, asIs, envFile, record, signIn, text, texts, transport } from './entries/rules.ts'

export const cursor: Client = {
  ...config,
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
