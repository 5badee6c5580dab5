import { join } from 'node:path'
import type { Client } from '../client.ts'
import { windsurfVariables } from '../entry/dialect.ts'
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
import { applicationFolder, inFolder } from './folders.ts'

const at = ['mcpServers']
const type = transport()

export const windsurf: Client = {
  name: 'windsurf',
  title: 'Windsurf',
  format: 'jsonc',
  places(around) {
    const { home, platform } = around
    const devin = platform === 'win32' ? applicationFolder(around) : join(home, '.config')
    const file = 'mcp_config.json'
    return [
      [{ file: join(home, '.codeium', 'windsurf', file), at, product: 'Windsurf' }],
      [{ file: join(home, '.codeium', file), at, product: 'Windsurf for JetBrains' }],
      [{ file: join(devin, 'devin', file), at, product: 'Devin' }],
      inFolder(around, ['.devin', file], at).map((place) => ({ ...place, product: 'Devin' })),
    ]
  },
  dialect: windsurfVariables,
  rules: {
    command: text,
    args: texts,
    env: record,
    cwd: text,
    serverUrl: address,
    url: address,
    headers: record,
    type,
    transport: type,
    disabled: asIs,
    disabledTools: hiddenTools,
    alwaysAllow: leftOut,
  },
  handsOnVariables: false,
}
