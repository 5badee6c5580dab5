import { homedir } from 'node:os'
import { join } from 'node:path'

/** How a client keeps its servers. */
export interface ClientConfig {
  /** Of the file that is written. */
  path(): string
  format: 'json' | 'toml'
  /** Where in it the servers stand. */
  key: string
  /** Whether the client wants the transport said. */
  type?: 'stdio'
}

const { platform } = process
const home = (...way: string[]): string => join(homedir(), ...way)

function desktopFolder(): string {
  if (platform === 'darwin') return home('Library', 'Application Support', 'Claude')
  if (platform === 'win32')
    return join(process.env['APPDATA'] ?? home('AppData', 'Roaming'), 'Claude')
  return home('.config', 'Claude')
}

export const clients: Readonly<Record<string, ClientConfig>> = {
  'claude-code': { path: () => '.mcp.json', format: 'json', key: 'mcpServers', type: 'stdio' },
  'claude-desktop': {
    path: () => join(desktopFolder(), 'claude_desktop_config.json'),
    format: 'json',
    key: 'mcpServers',
  },
  cursor: { path: () => join('.cursor', 'mcp.json'), format: 'json', key: 'mcpServers' },
  vscode: {
    path: () => join('.vscode', 'mcp.json'),
    format: 'json',
    key: 'servers',
    type: 'stdio',
  },
  codex: { path: () => home('.codex', 'config.toml'), format: 'toml', key: 'mcp_servers' },
  gemini: { path: () => join('.gemini', 'settings.json'), format: 'json', key: 'mcpServers' },
}
