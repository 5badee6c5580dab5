import { clients } from '@pith-mcp/server-kit/clients'
import type { Client } from '../entry/client.ts'
import { opencodeVariables } from '../entry/dialect.ts'
import { NotMoved } from '../entry/not-moved.ts'
import {
  address,
  asIs,
  type Rule,
  record,
  recordOf,
  signIn,
  text,
  texts,
  time,
  transport,
} from '../entry/rules.ts'

/** One list holds the command and its arguments. */
const command: Rule = (value, key, context) => {
  if (!Array.isArray(value) || value.length === 0) throw new NotMoved(`${key} must be a list.`)
  const [program, ...args] = value
  return { ...text(program, key, context), args: texts(args, key, context)?.[key] }
}

const oauth: Rule = (value, key, context) =>
  value === false
    ? undefined
    : signIn({
        clientId: 'clientId',
        clientSecret: 'clientSecret',
        scope: 'scope',
        callbackPort: 'port',
      })(value, key, context)

export const opencode: Client = {
  ...clients.opencode,
  name: 'opencode',
  dialect: opencodeVariables,
  rules: {
    type: transport({ local: 'stdio', remote: 'http' }),
    command,
    environment: (value, key, context) => ({ env: recordOf(value, key, context) }),
    cwd: text,
    url: address,
    headers: record,
    oauth,
    enabled: asIs,
    disabled: asIs,
    timeout: time('startTimeoutSeconds', 1_000),
  },
  own: (_, { timeout }) => ({
    // OpenCode waits 5 s for tools by default; a cold start takes longer.
    ...(typeof timeout !== 'object' && { timeout: Math.max(Number(timeout ?? 0), 60_000) }),
  }),
  passesVariables: true,
}
