import { join } from 'node:path'
import type { Client } from '../client.ts'
import { kiroVariables } from '../entry/dialect.ts'
import {
  address,
  asIs,
  hiddenTools,
  leftOut,
  record,
  text,
  texts,
  transport,
} from '../entry/rules.ts'
import { inFolder } from './folders.ts'

const way = ['.kiro', 'settings', 'mcp.json']
const at = ['mcpServers']

export const kiro: Client = {
  name: 'kiro',
  title: 'Kiro',
  format: 'jsonc',
  places: (around) => [[{ file: join(around.home, ...way), at }], inFolder(around, way, at)],
  dialect: kiroVariables,
  rules: {
    command: text,
    args: texts,
    env: record,
    cwd: text,
    type: transport(),
    url: address,
    headers: record,
    disabled: asIs,
    autoApprove: leftOut,
    disabledTools: hiddenTools,
  },
  handsOnVariables: false,
}
