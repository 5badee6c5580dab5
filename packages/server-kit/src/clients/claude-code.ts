import { dirname, join } from 'node:path'
import { isTable, type Table, valueAt } from '#base/table'
import { type Client, stdioEntry } from './entries/client.ts'
import {
  braced,
  type Dialect,
  launchFields,
  openFolder,
  sameName,
  unknownTo,
  variableName,
} from './entries/dialect.ts'
import {
  asIs,
  dropped,
  type EntryContext,
  serverRules,
  signIn,
  stays,
  time,
} from './entries/rules.ts'
import {
  type ConfigLocation,
  foldersAround,
  type HostEnvironment,
  here,
  inFolder,
} from './locations/location.ts'

const at = ['mcpServers']
const path = ['.mcp.json']

const user = ({ variables, home }: HostEnvironment): ConfigLocation => ({
  file: join(variables['CLAUDE_CONFIG_DIR'] || home, '.claude.json'),
  at,
})

const dialect: Dialect = {
  token: braced,
  fields: launchFields,
  meanings: [
    [/^\$\{CLAUDE_PROJECT_DIR(?::-[^}]*)?\}$/, openFolder],
    [/^\$\{CLAUDE_PLUGIN_ROOT(?::-[^}]*)?\}$/, unknownTo('plugins of Claude Code')],
    [new RegExp(`^\\$\\{${variableName}(?::-[^}]*)?\\}$`), sameName],
  ],
}

export const claudeCode: Client = {
  name: 'claude-code',
  title: 'Claude Code',
  format: 'jsonc',
  locations: (host) => [
    [user(host)],
    foldersAround(host).map((folder) => ({
      file: user(host).file,
      at: ['projects', folder, 'mcpServers'],
      folder,
      product: 'Claude Code, local',
    })),
    inFolder(host, path, at),
  ],
  otherFiles(host) {
    const { home, variables, cwd } = host
    return {
      state: user(host).file,
      settings: join(variables['CLAUDE_CONFIG_DIR'] || join(home, '.claude'), 'settings.json'),
      project: join(cwd, '.claude', 'settings.json'),
      local: join(cwd, '.claude', 'settings.local.json'),
    }
  },
  scope: 'folder',
  target: (host, scope) => [scope === 'folder' ? here(host, path, at) : user(host)],
  entry: stdioEntry,
  // It starts servers in the folder in which it is started.
  folderItself: '.',
  passesVariables: true,
  dialect,
  rules: {
    ...serverRules,
    headersHelper: stays('Its headers come from a command of Claude Code'),
    oauth: signIn({ clientId: 'clientId', callbackPort: 'port', scopes: 'scope' }),
    timeout: time('timeoutSeconds', 1_000),
    request_timeout_ms: time('timeoutSeconds', 1_000),
    alwaysLoad: dropped,
    disabled(value, key, context) {
      if (value === true) context.note('Claude Code itself ignores disabled. It takes effect here.')
      return asIs(value, key, context)
    },
  },
  complete(entry, context) {
    const { name, location, note } = context
    if (entry['url'] !== undefined && entry['type'] === undefined)
      note('Claude Code itself does not accept a url without a type.')
    for (const folder of location.folder === undefined ? foldersWithout(name, context) : [])
      note(`It is disabled in ${folder} only. Through the aggregator it is available there too.`)
    if (location.folder === undefined || location.at.length > 1) return {}
    const isListed = (key: string): boolean =>
      approvalsOf(context).some((approvals) => lists(approvals[key], name))
    if (isListed('disabledMcpjsonServers')) return { disabled: true }
    const isApproved =
      isListed('enabledMcpjsonServers') ||
      approvalsOf(context).some((approvals) => approvals['enableAllProjectMcpServers'] === true)
    if (!isApproved)
      note('It was not approved in Claude Code. The aggregator starts it without asking.')
    return {}
  },
  remarks: (_, otherFiles) => [
    'Close Claude Code first: it writes this file while it runs.',
    ...permissionRemark(Object.values(otherFiles)),
  ],
  commands: ['claude'],
  traces: ({ home }) => [join(home, '.claude')],
  skills: ['.claude/skills', '.claude/skills'],
  rulesIn: ['CLAUDE.md', '.claude/CLAUDE.md'],
  // From 2.1.277 on, if there is no CLAUDE.md in the folder or above it.
  otherRules: 'AGENTS.md',
}

const lists = (list: unknown, name: string): boolean => Array.isArray(list) && list.includes(name)

function foldersWithout(name: string, { root }: EntryContext): string[] {
  const projects = root['projects']
  if (!isTable(projects)) return []
  return Object.entries(projects).flatMap(([folder, project]) =>
    isTable(project) && lists(project['disabledMcpServers'], name) ? [folder] : [],
  )
}

/** The places that list the approved servers of a project. */
function approvalsOf({ otherFiles, location: { file } }: EntryContext): Table[] {
  const project = valueAt(otherFiles['state'], ['projects', dirname(file)])
  return [project, otherFiles['settings'], otherFiles['project'], otherFiles['local']].filter(
    isTable,
  )
}

/** Permission rules that name a server no longer match it. */
function permissionRemark(files: readonly unknown[]): string[] {
  const rules = files.flatMap((file) =>
    ['allow', 'ask', 'deny'].flatMap((kind) => {
      const list = valueAt(file, ['permissions', kind])
      return Array.isArray(list)
        ? list.flatMap((rule) => /^mcp__[\w-]+\*?/.exec(String(rule)) ?? [])
        : []
    }),
  )
  if (rules.length === 0) return []
  return [
    `Permissions by name (${rules.join(', ')}) do not match moved servers: their tools become mcp__<our name>__….`,
  ]
}
