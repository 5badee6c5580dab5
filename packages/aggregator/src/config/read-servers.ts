import {
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import { z } from 'zod'
import { AggregatorError } from '../aggregator-error.ts'
import { nearestOf } from '../names/nearest-of.ts'
import { shown } from '../shown.ts'
import { type Environment, expandVariables } from './expand-variables.ts'
import type { ServerConfig } from './server-config.ts'

const seconds = z.number().nonnegative().max(86_400)
const texts = z.record(z.string(), z.string())

/** What clients write beside what is used here; nothing to complain of. */
const foreign = {
  alwaysAllow: z.unknown().optional(),
  autoApprove: z.unknown().optional(),
  gallery: z.unknown().optional(),
  trust: z.unknown().optional(),
  version: z.unknown().optional(),
}

const entry = z
  .strictObject({
    type: z.enum(['stdio', 'http', 'streamable-http', 'streamableHttp', 'sse']).optional(),
    command: z.string().min(1).optional(),
    args: z.array(z.string()).optional(),
    env: texts.optional(),
    cwd: z.string().optional(),
    url: z.string().optional(),
    serverUrl: z.string().optional(),
    httpUrl: z.string().optional(),
    headers: texts.optional(),
    enabled: z.boolean().optional(),
    disabled: z.boolean().optional(),
    description: z.string().optional(),
    timeoutSeconds: seconds.positive().optional(),
    startTimeoutSeconds: seconds.positive().optional(),
    idleMinutes: z.number().nonnegative().max(10_080).optional(),
    isolate: z.boolean().optional(),
    ...foreign,
  })
  .superRefine(({ command, url, serverUrl, httpUrl, type }, context) => {
    const addresses = [command, url, serverUrl, httpUrl].filter((value) => value !== undefined)
    if (addresses.length !== 1)
      context.addIssue(
        addresses.length === 0
          ? 'needs a command or a url'
          : 'has more than one of command and url',
      )
    else if (
      (command !== undefined) !==
      (type === undefined ? command !== undefined : type === 'stdio')
    )
      context.addIssue(`type ${type} needs a ${type === 'stdio' ? 'command' : 'url'}`)
  })

type Entry = z.output<typeof entry>

const known = Object.keys(entry.shape)

/** Names become parts of tool names and of file names. */
const validName = /^[a-zA-Z0-9][a-zA-Z0-9_. -]{0,59}$/

/**
 * Read `{"mcpServers": {…}}`, JSON with comments, as clients write it; `servers` of VS Code is read
 * too. Servers that are switched off are left out.
 * @throws {AggregatorError} `bad_config`, with the path of the value
 */
export async function readServers(text: string, environment: Environment): Promise<ServerConfig[]> {
  const errors: ParseError[] = []
  const plain = text.replace(/^\uFEFF/, '')
  const root = parseTree(plain, errors, { allowTrailingComma: true })
  const [error] = errors
  if (error)
    throw badConfig(`${printParseErrorCode(error.error)} at ${positionIn(plain, error.offset)}`)
  const servers: ServerConfig[] = []
  const names = new Set<string>()
  for (const { name, value } of entriesIn(root)) {
    if (names.has(name)) throw badConfig(`mcpServers.${name} stands there twice`)
    names.add(name)
    const server = await readServer(name, value, environment)
    if (server) servers.push(server)
  }
  return servers
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
  const parsed = entry.safeParse(value)
  if (!parsed.success) throw badConfig(await describe(path, parsed.error, value))
  if (parsed.data.enabled === false || parsed.data.disabled === true) return undefined
  return toServer(name, parsed.data, environment)
}

function toServer(name: string, entry: Entry, environment: Environment): ServerConfig {
  const problems: string[] = []
  const variables: string[] = []
  const expand = (text: string, path: string): string => {
    const { text: expanded, missing, values } = expandVariables(text, environment)
    variables.push(...values)
    for (const variable of missing) problems.push(`${path} names ${variable}, which is not set`)
    return expanded
  }
  const expandAll = (values: Record<string, string> = {}, path: string) =>
    Object.fromEntries(
      Object.entries(values).map(([key, text]) => [key, expand(text, `${path}.${key}`)]),
    )
  const { timeoutSeconds = 300, startTimeoutSeconds = 30, idleMinutes = 15 } = entry
  const settings = {
    name,
    description: entry.description,
    timeoutMs: timeoutSeconds * 1000,
    startTimeoutMs: startTimeoutSeconds * 1000,
    idleMs: idleMinutes * 60_000,
    isolate: entry.isolate ?? false,
    variables,
  }
  const address = entry.url ?? entry.serverUrl ?? entry.httpUrl
  const server: ServerConfig =
    address === undefined
      ? {
          ...settings,
          type: 'stdio',
          command: expand(entry.command ?? '', 'command'),
          args: (entry.args ?? []).map((text, index) => expand(text, `args[${index}]`)),
          env: expandAll(entry.env, 'env'),
          cwd: entry.cwd === undefined ? undefined : expand(entry.cwd, 'cwd'),
        }
      : {
          ...settings,
          type: entry.type === 'sse' ? 'sse' : 'http',
          url: expand(address, 'url'),
          headers: expandAll(entry.headers, 'headers'),
        }
  if (server.type !== 'stdio' && problems.length === 0 && !isWebAddress(server.url))
    throw badConfig(`mcpServers.${name}.url: ${shown(address)} is no http or https URL`)
  return problems.length === 0 ? server : { ...server, problem: problems.join('; ') }
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

async function describe(path: string, { issues }: z.ZodError, value: unknown): Promise<string> {
  const [issue] = issues
  if (issue === undefined) return path
  const at = [path, ...issue.path.map(String)].join('.')
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys
    const [near] = await nearestOf(key, known)
    return `${at}.${key}: there is no such key${near ? `; did you mean ${near}?` : ''}`
  }
  const found = issue.path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key],
    value,
  )
  const isSecret = issue.path.some((key) => secretKeys.includes(String(key)))
  const said = issue.path.length === 0 || isSecret ? '' : ` ${shown(found)}`
  return `${at}${said}: ${issue.message}`
}

/** What is written there may be secret, and is not said. */
const secretKeys = ['env', 'headers', 'args', 'url', 'serverUrl', 'httpUrl']

function positionIn(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n')
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
}

const badConfig = (message: string): AggregatorError =>
  new AggregatorError('bad_config', message, 'Mend the file of servers.')
