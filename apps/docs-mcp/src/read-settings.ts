import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import {
  type Environment,
  nonEmpty,
  parseJson,
  readSettings,
  UsageError,
} from '@pith-mcp/server-kit/settings'
import { type Settings, settings } from './settings.ts'

/** The settings, in this precedence: flags, environment, file. @throws {UsageError} */
export function readDocsSettings(
  flags: Readonly<Record<string, unknown>>,
  configPath: string | undefined,
  environment: Environment = process.env,
): Settings {
  const path = configPath ?? environment['DOCS_MCP_CONFIG'] ?? ownFile(environment)
  const inFile = path === undefined ? {} : readFile(path, environment)
  const values = { ...inFile, ...proxyIn(environment) }
  const file = { path: path ?? 'the settings', values }
  return withCompat(
    readSettings(settings, { flags, environment: nonEmpty(environment), file }),
    environment,
  )
}

/**
 * The settings file of the user, if it exists. The current folder has none: clients start servers
 * in project folders, whose authors could then decide what is read and sent.
 */
function ownFile(environment: Environment): string | undefined {
  const base = environment['XDG_CONFIG_HOME'] || join(homedir(), '.config')
  const path = join(base, 'pith', 'docs-mcp.json')
  return existsSync(path) ? path : undefined
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

/** The proxy of the system, which goes before that of the file. */
function proxyIn(environment: Environment): Partial<Settings> {
  const { HTTP_PROXY, http_proxy, HTTPS_PROXY, https_proxy, NO_PROXY, no_proxy } = environment
  const http = http_proxy || HTTP_PROXY || undefined
  const https = https_proxy || HTTPS_PROXY || undefined
  const noProxy = no_proxy || NO_PROXY || undefined
  return http || https ? { proxy: { http, https, noProxy } } : {}
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
