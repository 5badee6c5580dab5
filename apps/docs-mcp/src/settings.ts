import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { problemText, requirement } from './describe-issue.ts'

/** An invalid command line or settings file; `message` states why. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

const number = z.coerce.number()
const list = z.preprocess(
  (value) => (typeof value === 'string' ? listIn(value) : value),
  z.array(z.string()),
)
/** JSON, or names separated by commas or lines, because a path may contain blanks. */
const listIn = (text: string): unknown =>
  text.trim().startsWith('[')
    ? parseJson(text)
    : text
        .split(/[,\n]+/)
        .map((name) => name.trim())
        .filter(Boolean)

const truth = z.preprocess(
  (value) => (typeof value === 'string' ? !/^(?:|0|false|no|off)$/i.test(value) : value),
  z.boolean(),
)
const headers = z.preprocess(
  (value) => (typeof value === 'string' ? parseJson(value) : value),
  z.record(z.string(), z.record(z.string(), z.string())),
)

/** Sites that have a name in addition to their URL. */
export const siteNames = ['aws', 'aws-cn', 'snowflake', 'microsoft-learn', 'mdn'] as const
/** Servers whose tools can be imitated. */
const compatNames = ['aws', 'snowflake'] as const

const oneOf = <const Name extends string>(names: readonly Name[]) => z.enum(names)

/** The settings of `docs-mcp.json`, flags and environment variables. */
const schema = z.strictObject({
  sources: list.default([]),
  timeout: number.positive().max(600).default(20),
  maxPages: number.int().min(1).default(2_000),
  searchWait: number.min(0).max(600).default(20),
  cache: z.union([z.string(), z.literal(false)]).optional(),
  maxCacheMb: number.positive().default(512),
  offline: truth.default(false),
  only: list.default([]),
  allowNetworks: list.default([]),
  headers: headers.default({}),
  proxy: z
    .strictObject({
      http: z.string().optional(),
      https: z.string().optional(),
      noProxy: z.string().optional(),
    })
    .default({}),
  http: z.string().optional(),
  token: z.string().min(8).optional(),
  httpHosts: list.default([]),
  structuredContent: truth.default(false),
  site: z.preprocess(
    (value) => (typeof value === 'string' ? listIn(value) : value),
    z.array(oneOf(siteNames)).default([]),
  ),
  compat: oneOf(compatNames).optional(),
  sites: z
    .preprocess(
      (value) => (typeof value === 'string' ? parseJson(value) : value),
      z.record(z.string(), z.record(z.string(), z.string()), {
        error: 'must be an object of objects, written as JSON in the environment',
      }),
    )
    .default({}),
  siteSearch: truth.default(true),
  userAgent: z
    .string()
    .regex(/^[\x20-\x7e]+$/, 'must be one line of ASCII characters')
    .optional(),
})

export type Settings = z.output<typeof schema>

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The settings file of the user, if it exists. The current folder has none: clients start servers
 * in project folders, whose authors could then decide what is read and sent.
 */
function ownFile(environment: Environment): string | undefined {
  const base = environment['XDG_CONFIG_HOME'] || join(homedir(), '.config')
  const path = join(base, 'pith', 'docs-mcp.json')
  return existsSync(path) ? path : undefined
}

/** The settings, in this precedence: flags, environment, file. @throws {UsageError} */
export function readSettings(
  flags: Record<string, unknown>,
  configPath: string | undefined,
  environment: Environment = process.env,
): Settings {
  const path = configPath ?? environment['DOCS_MCP_CONFIG'] ?? ownFile(environment)
  const inFile = path === undefined ? {} : readFile(path, environment)
  const merged = { ...inFile, ...fromEnvironment(environment), ...defined(flags) }
  const parsed = schema.safeParse(merged)
  if (!parsed.success) throw new UsageError(describe(parsed.error, flags, merged, path))
  return withCompat(parsed.data, environment)
}

/** Compatibility mode implies its site and the environment variables of the imitated server. */
function withCompat(settings: Settings, environment: Environment): Settings {
  const { compat, site } = settings
  const { AWS_DOCUMENTATION_PARTITION = 'aws', MCP_USER_AGENT } = environment
  const isAws = compat === 'aws' || site.includes('aws')
  const partition = AWS_DOCUMENTATION_PARTITION.toLowerCase()
  if (isAws && partition !== 'aws' && partition !== 'aws-cn')
    throw new UsageError(
      `AWS_DOCUMENTATION_PARTITION must be one of aws, aws-cn, got ${JSON.stringify(AWS_DOCUMENTATION_PARTITION)}.`,
    )
  if (compat !== undefined && settings.sources.length > 0)
    throw new UsageError(
      `The tools of --compat ${compat} read that site only. Leave out the source ${settings.sources[0]}.`,
    )
  const named = new Set(site)
  if (compat !== undefined) named.add(compat)
  const isChina = isAws && (partition === 'aws-cn' || site.includes('aws-cn'))
  if (isChina && (compat === 'aws' || partition === 'aws-cn')) {
    named.delete('aws')
    named.add('aws-cn')
  }
  const userAgent = settings.userAgent ?? (compat === 'aws' ? MCP_USER_AGENT : undefined)
  return { ...settings, site: [...named], ...(userAgent !== undefined && { userAgent }) }
}

/** The cache folder; undefined if caching is off. */
export function cacheFolder(
  { cache }: Pick<Settings, 'cache'>,
  environment: Environment = process.env,
): string | undefined {
  if (cache === false || cache === '') return undefined
  if (cache !== undefined) return cache
  const { XDG_CACHE_HOME, LOCALAPPDATA } = environment
  const home = homedir()
  const base =
    process.platform === 'win32'
      ? (LOCALAPPDATA ?? join(home, 'AppData', 'Local'))
      : process.platform === 'darwin'
        ? join(home, 'Library', 'Caches')
        : XDG_CACHE_HOME || join(home, '.cache')
  return join(base, 'pith', 'docs-mcp')
}

const variables: Readonly<Record<string, keyof Settings>> = {
  DOCS_MCP_SOURCES: 'sources',
  DOCS_MCP_TIMEOUT: 'timeout',
  DOCS_MCP_MAX_PAGES: 'maxPages',
  DOCS_MCP_SEARCH_WAIT: 'searchWait',
  DOCS_MCP_CACHE: 'cache',
  DOCS_MCP_MAX_CACHE_MB: 'maxCacheMb',
  DOCS_MCP_OFFLINE: 'offline',
  DOCS_MCP_ONLY: 'only',
  DOCS_MCP_ALLOW_NETWORKS: 'allowNetworks',
  DOCS_MCP_HEADERS: 'headers',
  DOCS_MCP_HTTP: 'http',
  DOCS_MCP_TOKEN: 'token',
  DOCS_MCP_HTTP_HOSTS: 'httpHosts',
  DOCS_MCP_STRUCTURED_CONTENT: 'structuredContent',
  DOCS_MCP_SITE: 'site',
  DOCS_MCP_COMPAT: 'compat',
  DOCS_MCP_SITES: 'sites',
  DOCS_MCP_SITE_SEARCH: 'siteSearch',
  DOCS_MCP_USER_AGENT: 'userAgent',
}

function fromEnvironment(environment: Environment): Record<string, unknown> {
  const settings: Record<string, unknown> = {}
  for (const [variable, setting] of Object.entries(variables)) {
    const value = environment[variable]
    if (value !== undefined && value !== '') settings[setting] = value
  }
  if (/^(?:0|false|no|off)$/i.test(String(settings['cache']))) settings['cache'] = false
  const { HTTP_PROXY, http_proxy, HTTPS_PROXY, https_proxy, NO_PROXY, no_proxy } = environment
  const proxy = defined({
    http: http_proxy || HTTP_PROXY || undefined,
    https: https_proxy || HTTPS_PROXY || undefined,
    noProxy: no_proxy || NO_PROXY || undefined,
  })
  if (proxy['http'] || proxy['https']) settings['proxy'] = proxy
  return settings
}

/** `${NAME}` in the file is replaced by a variable, so that the file need not contain secrets. */
function readFile(path: string, environment: Environment): Record<string, unknown> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`${path} could not be read: ${(error as NodeJS.ErrnoException).code}.`)
  }
  const expanded = text.replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = environment[name]
    if (value === undefined)
      throw new UsageError(`${path} refers to the variable ${name}, which is not set.`)
    return JSON.stringify(value).slice(1, -1)
  })
  const value = parseJson(expanded)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`${path} is not a JSON object.`)
  return value as Record<string, unknown>
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function describe(
  error: z.ZodError,
  flags: Record<string, unknown>,
  merged: Record<string, unknown>,
  path: string | undefined,
): string {
  const [issue] = error.issues
  if (issue?.code === 'unrecognized_keys')
    return `There is no setting ${issue.keys.map((key) => JSON.stringify(key)).join(', ')} in ${path ?? 'the settings'}.`
  const name = String(issue?.path[0])
  const whole = merged[name]
  const at = issue?.path[1]
  const value = Array.isArray(whole) && typeof at === 'number' ? whole[at] : whole
  const isSecret = name === 'headers' || name === 'token' || name === 'sites'
  const kebab = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const setting = flags[name] === undefined ? name : `--${kebab}`
  return isSecret ? `${setting} ${requirement(issue)}.` : problemText(setting, issue, value)
}

const defined = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
