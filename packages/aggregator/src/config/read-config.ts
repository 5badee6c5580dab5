import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import type { z } from 'zod'
import { AggregatorError } from '../protocol/aggregator-error.ts'
import { nearestOf } from '../protocol/nearest-of.ts'
import { quoteValue } from '../protocol/quote-value.ts'
import {
  type AggregatorSettings,
  aggregatorSettings,
  expandSettings,
} from './aggregator-settings.ts'
import type { Environment } from './expand-variables.ts'
import { ruleOf } from './rule-of.ts'
import type { ServerConfig } from './server-config.ts'
import { secretKeys, serverEntry, serverKeys } from './server-entry.ts'
import { toServer } from './to-server.ts'

/** A parsed configuration. */
export interface AggregatorConfig {
  servers: ServerConfig[]
  /** Names of disabled servers. */
  disabled: string[]
  settings: AggregatorSettings
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
  const errors: ParseError[] = []
  const plain = text.replace(/^\uFEFF/, '')
  const root = parseTree(plain, errors, { allowTrailingComma: true })
  const [error] = errors
  if (error)
    throw badConfig(
      `The text is not valid JSON: ${syntaxProblem(error)} at ${positionIn(plain, error.offset)}`,
    )
  const config: AggregatorConfig = {
    servers: [],
    disabled: [],
    settings: await readSettings(root && findNodeAtLocation(root, ['aggregator']), environment),
  }
  const names = new Set<string>()
  for (const { name, value } of entriesIn(root)) {
    if (names.has(name)) throw badConfig(`mcpServers.${name} is defined twice`)
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
  const parsed = aggregatorSettings.safeParse(value, { error: ruleOf })
  if (!parsed.success) throw badConfig(await describe('aggregator', parsed.error, value, []))
  const { settings, problems } = expandSettings(parsed.data, environment)
  const [problem] = problems
  if (problem !== undefined) throw badConfig(`aggregator.${problem}`)
  return settings
}

/** The members of `mcpServers` in the order of the text: a name can occur twice. */
function entriesIn(root: Node | undefined): { name: string; value: unknown }[] {
  const found = ['mcpServers', 'servers'].flatMap(
    (key) => (root && findNodeAtLocation(root, [key])) ?? [],
  )
  const [servers] = found
  if (found.length > 1) throw badConfig('There are both mcpServers and servers; keep one of them')
  if (servers?.type !== 'object') throw badConfig('There is no object mcpServers')
  return (servers.children ?? []).map(({ children = [] }) => ({
    name: String(children[0]?.value),
    value: children[1] && getNodeValue(children[1]),
  }))
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
  const parsed = serverEntry.safeParse(value, { error: ruleOf })
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
    return `${at}.${key} is not a known key${near ? `. The most similar key is ${near}` : ''}`
  }
  const found = issue.path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key],
    value,
  )
  const isNamed = ['profile', 'account'].includes(String(issue.path.at(-1)))
  // Objects may contain secrets.
  const isSecret =
    (typeof found === 'object' && issue.code === 'invalid_union') ||
    (!isNamed && issue.path.some((key) => secretKeys.includes(String(key))))
  const isKey = issue.code === 'invalid_key'
  const isHidden = issue.path.length === 0 || isKey || isSecret || found === undefined
  const [inner] = isKey ? issue.issues : [issue]
  return `${at} ${inner?.message ?? issue.message}${isHidden ? '' : `, got ${quoteValue(found)}`}`
}

/** A syntax error of JSON in words, such as `comma expected`. */
const syntaxProblem = ({ error }: ParseError): string =>
  printParseErrorCode(error)
    .replace(/\B[A-Z]/g, ' $&')
    .toLowerCase()

function positionIn(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n')
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
}

const badConfig = (message: string): AggregatorError =>
  new AggregatorError('bad_config', `${message}.`, 'Correct the configuration file.')
