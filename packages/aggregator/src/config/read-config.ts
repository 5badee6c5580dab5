import {
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import type { z } from 'zod'
import { AggregatorError } from '../protocol/aggregator-error.ts'
import { nearestOf } from '../protocol/nearest-of.ts'
import { shown } from '../protocol/shown.ts'
import {
  type AggregatorSettings,
  aggregatorSettings,
  expandSettings,
} from './aggregator-settings.ts'
import type { Environment } from './expand-variables.ts'
import type { ServerConfig } from './server-config.ts'
import { secretKeys, serverEntry, serverKeys } from './server-entry.ts'
import { toServer } from './to-server.ts'

/** What a file says. */
export interface AggregatorConfig {
  servers: ServerConfig[]
  /** Names of servers that are switched off. */
  disabled: string[]
  settings: AggregatorSettings
}

/** Names become parts of tool names and of file names. */
const validName = /^[a-zA-Z0-9][a-zA-Z0-9_. -]{0,59}$/

/**
 * Read `{"mcpServers": {…}, "aggregator": {…}}`, JSON with comments, as clients write it; `servers`
 * of VS Code is read too.
 * @throws {AggregatorError} `bad_config`, with the path of the value
 */
export async function readConfig(
  text: string,
  environment: Environment,
): Promise<AggregatorConfig> {
  const errors: ParseError[] = []
  const plain = text.replace(/^\uFEFF/, '')
  const root = parseTree(plain, errors, { allowTrailingComma: true })
  const [error] = errors
  if (error)
    throw badConfig(`${printParseErrorCode(error.error)} at ${positionIn(plain, error.offset)}`)
  const config: AggregatorConfig = {
    servers: [],
    disabled: [],
    settings: await readSettings(memberOf(root, 'aggregator'), environment),
  }
  const names = new Set<string>()
  for (const { name, value } of entriesIn(root)) {
    if (names.has(name)) throw badConfig(`mcpServers.${name} stands there twice`)
    names.add(name)
    const server = await readServer(name, value, environment)
    if (server) config.servers.push(server)
    else config.disabled.push(name)
  }
  return config
}

async function readSettings(
  node: Node | undefined,
  environment: Environment,
): Promise<AggregatorSettings> {
  if (node === undefined) return {}
  const value: unknown = getNodeValue(node)
  const parsed = aggregatorSettings.safeParse(value)
  if (!parsed.success) throw badConfig(await describe('aggregator', parsed.error, value, []))
  const { settings, problems } = expandSettings(parsed.data, environment)
  const [problem] = problems
  if (problem !== undefined) throw badConfig(`aggregator.${problem}`)
  return settings
}

/** The members of `mcpServers`, as they stand in the text: two may have one name. */
function entriesIn(root: Node | undefined): { name: string; value: unknown }[] {
  const found = ['mcpServers', 'servers'].flatMap((key) => memberOf(root, key) ?? [])
  const [servers] = found
  if (found.length > 1) throw badConfig('there are both mcpServers and servers')
  if (servers?.type !== 'object') throw badConfig('there is no object mcpServers')
  return (servers.children ?? []).map(({ children = [] }) => ({
    name: String(children[0]?.value),
    value: children[1] && getNodeValue(children[1]),
  }))
}

function memberOf(node: Node | undefined, key: string): Node | undefined {
  return node?.children?.find(({ children }) => children?.[0]?.value === key)?.children?.[1]
}

async function readServer(
  name: string,
  value: unknown,
  environment: Environment,
): Promise<ServerConfig | undefined> {
  const path = `mcpServers.${name}`
  if (!validName.test(name))
    throw badConfig(
      `${path}: a name has letters, digits, "_", "-", "." or blanks, at most 60, and begins with a letter or digit`,
    )
  const parsed = serverEntry.safeParse(value)
  if (!parsed.success) throw badConfig(await describe(path, parsed.error, value, serverKeys))
  if (parsed.data.enabled === false || parsed.data.disabled === true) return undefined
  return toServer(name, parsed.data, environment)
}

async function describe(
  path: string,
  { issues }: z.ZodError,
  value: unknown,
  keys: readonly string[],
): Promise<string> {
  const [issue] = issues
  if (issue === undefined) return path
  const at = [path, ...issue.path.map(String)].join('.')
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys
    const [near] = issue.path.length === 0 ? await nearestOf(key, keys) : []
    return `${at}.${key}: there is no such key${near ? `; did you mean ${near}?` : ''}`
  }
  const found = issue.path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key],
    value,
  )
  const isNamed = ['profile', 'account'].includes(String(issue.path.at(-1)))
  // What holds others may hold what is secret.
  const isSecret =
    (typeof found === 'object' && issue.code === 'invalid_union') ||
    (!isNamed && issue.path.some((key) => secretKeys.includes(String(key))))
  const said = issue.path.length === 0 || isSecret ? '' : ` ${shown(found)}`
  const [inner] = issue.code === 'invalid_key' ? issue.issues : [issue]
  return `${at}${said}: ${inner?.message ?? issue.message}`
}

function positionIn(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n')
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
}

const badConfig = (message: string): AggregatorError =>
  new AggregatorError('bad_config', message, 'Mend the file of servers.')
