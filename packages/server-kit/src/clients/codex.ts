import { join } from 'node:path'
import { isTable } from '#base/table'
import { type Client, usual } from './entries/client.ts'
import {
  address,
  approval,
  asIs,
  dropped,
  droppedWithNote,
  EntryRefused,
  hiddenTools,
  launchRules,
  onlyTools,
  type Rule,
  recordOf,
  signIn,
  stays,
  time,
} from './entries/rules.ts'
import type { HostEnvironment } from './locations/location.ts'

const user = ({ home, variables }: HostEnvironment): string[] => [
  join(variables['CODEX_HOME'] || join(home, '.codex'), 'config.toml'),
]

const max = (existing: unknown, requested: number): number =>
  typeof existing === 'number' ? Math.max(existing, requested) : requested

const variable = (name: unknown, wrap: (name: string) => string): string => {
  if (typeof name === 'string' && /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return wrap(name)
  throw new EntryRefused('It uses a variable with a name that is not supported here.')
}

/** Codex passes on variables that are set, so a missing one is not an error. */
const passedVariables: Rule = (value, key) => {
  if (!Array.isArray(value)) throw new EntryRefused(`${key} must be a list.`)
  const names = value.map(nameOf)
  if (value.some((entry) => isTable(entry) && entry['source'] === 'remote'))
    throw new EntryRefused('It uses variables of another machine (env_vars).')
  return {
    env: Object.fromEntries(
      names.map((name) => [
        String(name),
        variable(name, (variableName) => `\${${variableName}:-}`),
      ]),
    ),
  }
}

const nameOf = (variable: unknown): unknown => (isTable(variable) ? variable['name'] : variable)

export const codex: Client = {
  name: 'codex',
  title: 'Codex',
  infoName: 'codex-mcp-client',
  // Of the files in folders it reads those of trusted ones only.
  ...usual(['mcp_servers'], user, ['.codex', 'config.toml']),
  format: 'toml',
  provide({ variables, timeoutSeconds }, existing) {
    const envVars = Array.isArray(existing['env_vars']) ? existing['env_vars'] : []
    const names = envVars.map(nameOf)
    const more = variables.filter((name) => !names.includes(name))
    return {
      // A cold start takes longer than the default timeout of Codex.
      startup_timeout_sec: max(existing['startup_timeout_sec'], 60),
      tool_timeout_sec: max(existing['tool_timeout_sec'], timeoutSeconds),
      ...(envVars.length + more.length > 0 && { env_vars: [...envVars, ...more] }),
    }
  },
  passesVariables: true,
  rules: {
    ...launchRules,
    env_vars: passedVariables,
    url: address,
    bearer_token_env_var: (value) => ({
      headers: { Authorization: variable(value, (name) => `Bearer \${${name}}`) },
    }),
    http_headers: (value, key, context) => ({ headers: recordOf(value, key, context) }),
    env_http_headers: (value) => ({
      headers: Object.fromEntries(
        Object.entries(isTable(value) ? value : {}).map(([header, name]) => [
          header,
          variable(name, (variableName) => `\${${variableName}}`),
        ]),
      ),
    }),
    bearer_token: stays('Codex does not support a token here'),
    oauth: signIn({ client_id: 'clientId' }),
    scopes: (value, key, context) => signIn({ scopes: 'scope' })({ [key]: value }, key, context),
    oauth_resource: droppedWithNote,
    enabled: asIs,
    required: dropped,
    name: dropped,
    supports_parallel_tool_calls: dropped,
    startup_timeout_sec: time('startTimeoutSeconds', 1),
    startup_timeout_ms: time('startTimeoutSeconds', 1_000),
    tool_timeout_sec: time('timeoutSeconds', 1),
    enabled_tools: onlyTools,
    disabled_tools: hiddenTools,
    default_tools_approval_mode: approval,
    tools: approval,
    experimental_environment: stays('Codex starts it in another environment'),
  },
  commands: ['codex'],
  skills: ['.agents/skills', '.agents/skills'],
  rulesIn: ['AGENTS.md', '.codex/AGENTS.md'],
}
