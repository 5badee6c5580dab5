import type { z } from 'zod'
import { quoteValue } from '../protocol/quote-value.ts'
import {
  type AggregatorSettings,
  aggregatorSettings,
  expandSettings,
} from './aggregator-settings.ts'
import { badConfig, readRoot } from './config-root.ts'
import type { Environment } from './expand-variables.ts'
import { describeUnknownKey } from './known-keys.ts'
import { checkPatterns } from './permission-patterns.ts'
import { schemaMessage } from './schema-message.ts'
import type { ServerConfig } from './server-config.ts'
import { clientKeys, secretKeys, serverEntry } from './server-entry.ts'
import { toServer } from './to-server.ts'

/** A parsed configuration. */
export interface AggregatorConfig {
  servers: ServerConfig[]
  /** Names of disabled servers. */
  disabled: string[]
  settings: AggregatorSettings
  /** Keys of clients that have no effect here, such as `mcpServers.a.autoApprove`. */
  ignored: string[]
}

/** Names become parts of tool names and file names. */
const validName = /^[a-zA-Z0-9][a-zA-Z0-9_. -]{0,59}$/

/**
 * Parses `{"mcpServers": {…}, "aggregator": {…}}` as MCP clients write it: JSON with comments and
 * trailing commas. The key `servers` of VS Code is accepted for `mcpServers`.
 * @throws {AggregatorError} `bad_config`, with the path of the value
 */
export async function readConfig(
  text: string,
  environment: Environment,
): Promise<AggregatorConfig> {
  const { servers, settings } = await readRoot(text)
  const config: AggregatorConfig = {
    servers: [],
    disabled: [],
    settings: await readSettings(settings, environment),
    ignored: [],
  }
  for (const { name, value } of servers) {
    const server = await readServer(name, value, environment)
    if (server) config.servers.push(server)
    else config.disabled.push(name)
    const keys = Object.keys(Object(value)).filter((key) => clientKeys.includes(key))
    config.ignored.push(...keys.map((key) => `mcpServers.${name}.${key}`))
  }
  return config
}

async function readSettings(value: unknown, environment: Environment): Promise<AggregatorSettings> {
  if (value === undefined) return {}
  const parsed = aggregatorSettings.safeParse(value, { error: schemaMessage })
  if (!parsed.success) throw badConfig(await describe(['aggregator'], parsed.error, value))
  const { settings, problems } = expandSettings(parsed.data, environment)
  const [problem] = problems
  if (problem !== undefined) throw badConfig(`aggregator.${problem}`)
  await checkPatterns(settings.permissions)
  return settings
}

async function readServer(
  name: string,
  value: unknown,
  environment: Environment,
): Promise<ServerConfig | undefined> {
  const path = `mcpServers.${name}`
  if (!validName.test(name))
    throw badConfig(
      `${path}: The name must have at most 60 letters, digits, "_", "-", "." or blanks and begin with a letter or digit`,
    )
  const parsed = serverEntry.safeParse(value, { error: schemaMessage })
  if (!parsed.success) throw badConfig(await describe(['mcpServers', name], parsed.error, value))
  if (parsed.data.enabled === false || parsed.data.disabled === true) return undefined
  return toServer(name, parsed.data, environment)
}

async function describe(
  path: readonly string[],
  { issues }: z.ZodError,
  value: unknown,
): Promise<string> {
  const [issue] = issues
  if (issue === undefined) return path.join('.')
  const fullPath = [...path, ...issue.path.map(String)]
  const at = fullPath.join('.')
  if (issue.code === 'unrecognized_keys') return describeUnknownKey(fullPath, issue.keys[0] ?? '')
  const member = issue.path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key],
    value,
  )
  const isNamed = ['profile', 'account'].includes(String(issue.path.at(-1)))
  // Objects may contain secrets.
  const isSecret =
    (typeof member === 'object' && issue.code === 'invalid_union') ||
    (!isNamed && issue.path.some((key) => secretKeys.includes(String(key))))
  const isKey = issue.code === 'invalid_key'
  const isHidden = issue.path.length === 0 || isKey || isSecret || member === undefined
  const [inner] = isKey ? issue.issues : [issue]
  return `${at} ${inner?.message ?? issue.message}${isHidden ? '' : `, got ${quoteValue(member)}`}`
}
