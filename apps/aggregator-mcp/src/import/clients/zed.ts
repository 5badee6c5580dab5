import { clients } from '@pith-mcp/server-kit/clients'
import { isTable } from '@pith-mcp/server-kit/files'
import type { Client } from '../entry/client.ts'
import { noVariables } from '../entry/dialect.ts'
import { NotMoved } from '../entry/not-moved.ts'
import { address, asIs, dropped, type Rule, record, recordOf, text, texts } from '../entry/rules.ts'

/** Older entries hold path, args and env in one object. */
const command: Rule = (value, key, context) => {
  if (!isTable(value)) return text(value, key, context)
  const { path, args = [], env } = value
  return {
    ...text(path, 'command', context),
    ...texts(args, 'args', context),
    ...(isTable(env) && { env: recordOf(env, 'env', context) }),
  }
}

export const zed: Client = {
  ...clients.zed,
  name: 'zed',
  dialect: noVariables,
  rules: {
    source(value) {
      if (value === 'extension') throw new NotMoved('An extension of Zed starts it.')
      return undefined
    },
    enabled: asIs,
    command,
    args: texts,
    env: record,
    url: address,
    headers: record,
    settings: dropped,
  },
  passesVariables: false,
}
