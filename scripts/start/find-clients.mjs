import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

/**
 * The MCP clients that `docs-mcp add` knows by these names, and how one sees that they are installed:
 * by a file or folder of theirs, or by a command.
 */
const clients = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    commands: ['claude'],
    paths: ({ home, variables }) => [
      join(variables.CLAUDE_CONFIG_DIR || home, '.claude.json'),
      join(home, '.claude'),
    ],
  },
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    commands: [],
    paths: (around) => [join(applicationFolder(around), 'Claude')],
  },
  {
    name: 'cursor',
    title: 'Cursor',
    commands: ['cursor', 'cursor-agent'],
    paths: ({ home }) => [join(home, '.cursor')],
  },
  {
    name: 'vscode',
    title: 'VS Code',
    commands: ['code'],
    paths: (around) => [join(applicationFolder(around), 'Code', 'User')],
  },
  {
    name: 'codex',
    title: 'Codex',
    commands: ['codex'],
    paths: ({ home, variables }) => [variables.CODEX_HOME || join(home, '.codex')],
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    commands: ['gemini'],
    paths: ({ home, variables }) => [join(variables.GEMINI_CLI_HOME || home, '.gemini')],
  },
  {
    name: 'opencode',
    title: 'OpenCode',
    commands: ['opencode'],
    paths: (around) => [join(configFolder(around), 'opencode')],
  },
  {
    name: 'windsurf',
    title: 'Windsurf',
    commands: ['windsurf'],
    paths: ({ home }) => [join(home, '.codeium', 'windsurf')],
  },
  {
    name: 'cline',
    title: 'Cline',
    commands: ['cline'],
    paths: (around) => [
      around.variables.CLINE_DIR || join(around.home, '.cline'),
      join(applicationFolder(around), 'Code/User/globalStorage/saoudrizwan.claude-dev'),
    ],
  },
  {
    name: 'kiro',
    title: 'Kiro',
    commands: ['kiro', 'kiro-cli'],
    paths: ({ home }) => [join(home, '.kiro')],
  },
  {
    name: 'zed',
    title: 'Zed',
    commands: ['zed', 'zeditor'],
    paths: (around) => [
      around.platform === 'win32'
        ? join(applicationFolder(around), 'Zed')
        : join(configFolder(around), 'zed'),
    ],
  },
]

export const clientNames = clients.map(({ name }) => name)

/** The clients that are installed here, as `{ name, title }`. */
export function findClients({
  home = homedir(),
  platform = process.platform,
  variables = process.env,
} = {}) {
  const around = { home, platform, variables }
  return clients
    .filter(
      ({ commands, paths }) =>
        paths(around).some((path) => existsSync(path)) ||
        commands.some((command) => isOnPath(command, around)),
    )
    .map(({ name, title }) => ({ name, title }))
}

function isOnPath(command, { platform, variables }) {
  const folders = (variables.PATH ?? variables.Path ?? '').split(delimiter).filter(Boolean)
  const endings = platform === 'win32' ? ['.exe', '.cmd', '.bat'] : ['']
  return folders.some((folder) => endings.some((end) => existsSync(join(folder, command + end))))
}

/** Where editors and desktop programs keep the user's settings. */
function applicationFolder({ home, platform, variables }) {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  if (platform === 'win32') return variables.APPDATA || join(home, 'AppData', 'Roaming')
  return configFolder({ home, variables })
}

const configFolder = ({ home, variables }) => variables.XDG_CONFIG_HOME || join(home, '.config')
