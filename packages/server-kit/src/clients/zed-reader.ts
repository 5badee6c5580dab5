import { isTable } from '../files/table.ts'
import type { Client } from './client.ts'
import { noVariables } from './entries/dialect.ts'
import { EntryRefused } from './entries/entry-refused.ts'
import {
  address,
  asIs,
  dropped,
  type Rule,
  record,
  recordOf,
  text,
  texts,
} from './entries/rules.ts'
import { zed as config } from './zed.ts'

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
  ...config,
  name: 'zed',
  dialect: noVariables,
  rules: {
    source(value) {
      if (value === 'extension') throw new EntryRefused('An extension of Zed starts it.')
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
