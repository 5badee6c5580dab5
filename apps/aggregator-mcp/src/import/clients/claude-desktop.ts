import { join } from 'node:path'
import type { Client } from '../client.ts'
import { noVariables } from '../entry/dialect.ts'
import { address, asIs, record, text, texts, transport } from '../entry/rules.ts'
import { applicationFolder } from './folders.ts'

const file = 'claude_desktop_config.json'
const at = ['mcpServers']

export const claudeDesktop: Client = {
  name: 'claude-desktop',
  title: 'Claude Desktop',
  format: 'jsonc',
  places(around) {
    const { home, platform, variables } = around
    const local = variables['LOCALAPPDATA'] || join(home, 'AppData', 'Local')
    // Installed as a package it reads a copy of its own, and the other file no more.
    const packaged = ['Packages', 'Claude_*', 'LocalCache', 'Roaming', 'Claude', file]
    return [
      [
        ...(platform === 'win32' ? [{ file: join(local, ...packaged), at }] : []),
        { file: join(applicationFolder(around), 'Claude', file), at },
      ],
    ]
  },
  dialect: noVariables,
  rules: {
    command: text,
    args: texts,
    env: record,
    cwd: text,
    type: transport(),
    headers: record,
    disabled: asIs,
    url(value, key, context) {
      context.note('Claude Desktop itself takes no url here')
      return address(value, key, context)
    },
  },
  handsOnVariables: false,
}
