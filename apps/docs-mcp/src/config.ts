import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import {
  defineSettings,
  type Environment,
  listOf,
  nonEmpty,
  onOff,
  parseJson,
  readCommandLine,
  readSettings,
  UsageError,
} from '@pith-mcp/server-kit/settings'
import { z } from 'zod'
import { type Settings, settings } from './settings.ts'

/** Commands that query one page or source. */
const questions = ['search', 'find', 'table', 'toc', 'section', 'content', 'related'] as const
/** Commands that manage sources and clients. */
const chores = [
  'index',
  'pack',
  'doctor',
  'check',
  'setup',
  'add',
  'remove',
  'sites',
  'libraries',
] as const
export type Question = (typeof questions)[number]
export type Chore = (typeof chores)[number]

export const isChore = (command: string): command is Chore =>
  chores.some((name) => name === command)

export const commands = [...questions, ...chores] as const

const text = z.string().optional()

/** Options of the commands that query. */
// biome-ignore format: a table has one line for each option.
export const answerOptions = defineSettings({
  code: { type: onOff(false), help: 'find, section, content: code blocks in full' },
  maxLength: { type: z.coerce.number().optional(), value: '<n>', help: 'find, section, content: maximum characters of text (default 5000, find 3000, 0 as many as allowed)' },
  page: { type: text, value: '<token>', help: 'toc, section, content: continue where the previous reply stopped' },
  startIndex: { type: z.coerce.number().optional(), value: '<n>', help: 'content: begin at this character' },
  maxTokens: { type: z.coerce.number().optional(), value: '<n>', help: 'search: tokens of the sections shown, 100-3000 (default 600)' },
  maxResults: { type: z.coerce.number().optional(), value: '<n>', help: 'search: 1-20 pages (default 10); find: 1-10 sections (6); table: 1-200 rows (20)' },
  wording: { type: listOf(z.string()), value: '<words>', help: 'search: the question in other words; may be repeated' },
  headings: { type: onOff(false), help: 'search: list the headings of each page' },
  source: { type: text, help: '' },
  language: { type: text, value: '<tag>', help: 'search: pages in this language' },
  filter: { type: listOf(z.string()), value: '<name=v>', help: 'search: narrow by a filter value of a reply; may be repeated' },
  json: { type: onOff(false), help: 'the answer as JSON' },
})

/** Options of all commands that are not settings. */
export const generalOptions = defineSettings({
  config: {
    type: text,
    value: '<file>',
    help: 'instead of ~/.config/pith/docs-mcp.json (DOCS_MCP_CONFIG)',
  },
})

export type Config = ReturnType<typeof parseConfig>

/** Parse a command line, without node and script. @throws {UsageError} */
export function parseConfig(argv: readonly string[]) {
  const syntax = { commands, answers: answerOptions, served: [generalOptions, settings] }
  const { line, flags, isInfo } = readCommandLine(argv, syntax)
  const { config } = readSettings(generalOptions, { flags })
  const sources = line.command === 'serve' ? line.positionals.flatMap(sourcesIn) : []
  const all = { ...flags, ...(sources.length > 0 && { sources }) }
  return {
    ...line,
    settings: isInfo ? readDocsSettings({}, undefined, {}) : readDocsSettings(all, config),
    filters: filtersOf(line.filter),
  }
}

/**
 * Hosts of MCP bundles pass a field as one argument: several URLs, or blanks for an empty field.
 */
const sourcesIn = (word: string): string[] => {
  const trimmed = word.trim()
  if (/^https?:/i.test(trimmed)) return trimmed.split(/[\s,]+(?=https?:)/i)
  return trimmed === '' ? [] : [word]
}

/** Parse repeated `product=AWS Lambda`. @throws {UsageError} */
function filtersOf(texts: readonly string[]): Record<string, string[]> | undefined {
  if (texts.length === 0) return undefined
  const filters: Record<string, string[]> = {}
  for (const text of texts) {
    const [, name = '', value = ''] = /^([^=]+)=(.+)$/.exec(text) ?? []
    if (name === '')
      throw new UsageError(`--filter must be written as name=value, got ${JSON.stringify(text)}.`)
    filters[name] = [...(filters[name] ?? []), value]
  }
  return filters
}

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
