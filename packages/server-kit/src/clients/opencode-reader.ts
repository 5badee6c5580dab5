import type { Client } from './client.ts'
import { opencodeVariables } from './entries/dialect.ts'
import { EntryRefused } from './entries/entry-refused.ts'
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
} from './entries/rules.ts'
import { opencode as config } from './opencode.ts'

/** One list holds the command and its arguments. */
const command: Rule = (value, key, context) => {
  if (!Array.isArray(value) || value.length === 0) throw new EntryRefused(`${key} must be a list.`)
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
  ...config,
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
  provide: (_, { timeout }) => ({
    // OpenCode waits 5 s for tools by default; a cold start takes longer.
    ...(typeof timeout !== 'object' && { timeout: Math.max(Number(timeout ?? 0), 60_000) }),
  }),
  passesVariables: true,
}
