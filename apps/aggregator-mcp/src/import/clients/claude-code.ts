import { dirname, join } from 'node:path'
import { clients } from '@pith-mcp/setup'
import { isTable, type Table, valueAt } from '@pith-mcp/setup/files'
import type { Client } from '../entry/client.ts'
import { claudeCodeVariables } from '../entry/dialect.ts'
import type { EntryContext } from '../entry/entry-context.ts'
import {
  address,
  asIs,
  leftOut,
  record,
  signIn,
  stays,
  text,
  texts,
  time,
  transport,
} from '../entry/rules.ts'

const state = '.claude.json'

export const claudeCode: Client = {
  ...clients['claude-code'],
  name: 'claude-code',
  beside({ home, variables, cwd }) {
    const folder = variables['CLAUDE_CONFIG_DIR']
    return {
      state: join(folder || home, state),
      settings: join(folder || join(home, '.claude'), 'settings.json'),
      project: join(cwd, '.claude', 'settings.json'),
      local: join(cwd, '.claude', 'settings.local.json'),
    }
  },
  dialect: claudeCodeVariables,
  rules: {
    type: transport(),
    command: text,
    args: texts,
    env: record,
    cwd: text,
    url: address,
    headers: record,
    headersHelper: stays('its headers are made by a command of Claude Code'),
    oauth: signIn({ clientId: 'clientId', callbackPort: 'port', scopes: 'scope' }),
    timeout: time('timeoutSeconds', 1_000),
    request_timeout_ms: time('timeoutSeconds', 1_000),
    alwaysLoad: leftOut,
    disabled(value, key, context) {
      if (value === true) context.note('Claude Code itself does not heed disabled; it is kept')
      return asIs(value, key, context)
    },
  },
  complete(entry, context) {
    const { name, place, note } = context
    if (entry['url'] !== undefined && entry['type'] === undefined)
      note('Claude Code itself takes no url without a type')
    for (const folder of place.folder === undefined ? foldersWithout(name, context) : [])
      note(`it is switched off in ${folder} only; through the aggregator it is there too`)
    if (place.folder === undefined || place.at.length > 1) return {}
    const said = (key: string): boolean => approvalsOf(context).some((one) => lists(one[key], name))
    if (said('disabledMcpjsonServers')) return { disabled: true }
    const isApproved =
      said('enabledMcpjsonServers') ||
      approvalsOf(context).some((one) => one['enableAllProjectMcpServers'] === true)
    if (!isApproved) note('Claude Code was never told to start it; the aggregator does not ask')
    return {}
  },
  remarks: (_, beside) => [
    'Close Claude Code first: it writes this file while it runs.',
    ...permissionRemark(Object.values(beside)),
  ],
  handsOnVariables: true,
}

const lists = (list: unknown, name: string): boolean => Array.isArray(list) && list.includes(name)

function foldersWithout(name: string, { root }: EntryContext): string[] {
  const projects = root['projects']
  if (!isTable(projects)) return []
  return Object.entries(projects).flatMap(([folder, project]) =>
    isTable(project) && lists(project['disabledMcpServers'], name) ? [folder] : [],
  )
}

/** Wherever it is written which servers of a project may be started. */
function approvalsOf({ beside, place: { file } }: EntryContext): Table[] {
  const project = valueAt(beside['state'], ['projects', dirname(file)])
  return [project, beside['settings'], beside['project'], beside['local']].filter(isTable)
}

/** Rules by the name of a server match no more. */
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
    `Permissions by name (${rules.join(', ')}) do not match what was moved: tools are mcp__<our name>__… then.`,
  ]
}
