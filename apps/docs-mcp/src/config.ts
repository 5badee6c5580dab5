import { parseArgs } from 'node:util'
import { z } from 'zod'
import { problemText } from './describe-issue.ts'
import { readSettings, type Settings, UsageError } from './settings.ts'

/** Commands that query one page or source. */
const questions = ['search', 'find', 'table', 'toc', 'section', 'content', 'related'] as const
/** Commands that manage sources and clients. */
const chores = ['index', 'pack', 'doctor', 'add', 'sites'] as const
export type Question = (typeof questions)[number]
export type Chore = (typeof chores)[number]

export const commands = [...questions, ...chores] as const

export interface Config {
  command: 'serve' | 'help' | 'version' | Question | Chore
  /** Arguments after the command. */
  positionals: string[]
  settings: Settings
  json: boolean
  maxResults: number | undefined
  headings: boolean
  code: boolean
  maxLength: number | undefined
  startIndex: number | undefined
  page: string | undefined
  source: string | undefined
  language: string | undefined
  filters: Record<string, string[]> | undefined
  name: string | undefined
  print: boolean
  force: boolean
  /** For all folders of the user. */
  user: boolean
  /** The flags of the command line that the server understands. */
  serverFlags: string[]
}

const number = z.coerce.number()

const answerFlags = z.object({
  'max-results': number.optional(),
  'max-length': number.optional(),
  'start-index': number.optional(),
})

/** Parse a command line, without node and script. @throws {UsageError} */
export function parseConfig(argv: readonly string[]): Config {
  const { values, positionals } = readArguments(argv)
  const parsed = answerFlags.safeParse(values)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const flag = String(issue?.path[0])
    const value = (values as Record<string, unknown>)[flag]
    throw new UsageError(problemText(`--${flag}`, issue, value))
  }
  const [first = '', ...rest] = positionals
  const named = commands.find((name) => name === first)
  const command = values.help ? 'help' : values.version ? 'version' : (named ?? 'serve')
  const isServing = command === 'serve'
  const sources = positionals.flatMap(sourcesIn)
  const flags = {
    sources: isServing && sources.length > 0 ? sources : undefined,
    timeout: values.timeout,
    maxPages: values['max-pages'],
    searchWait: values['search-wait'],
    cache: values['no-cache'] ? false : values.cache,
    maxCacheMb: values['max-cache-mb'],
    offline: values.offline,
    only: values.only,
    allowNetworks: values['allow-network'],
    http: values.http,
    httpHosts: values['http-host'],
    structuredContent: values['structured-content'],
    site: values.site,
    compat: values.compat,
    siteSearch: values['no-site-search'] ? false : undefined,
    userAgent: values['user-agent'],
  }
  const isInfo = command === 'help' || command === 'version'
  return {
    command,
    positionals: named ? rest : positionals,
    settings: readSettings(
      isInfo ? {} : flags,
      isInfo ? undefined : values.config,
      isInfo ? {} : process.env,
    ),
    json: values.json ?? false,
    maxResults: parsed.data['max-results'],
    headings: values.headings ?? false,
    code: values.code ?? false,
    maxLength: parsed.data['max-length'],
    startIndex: parsed.data['start-index'],
    page: values.page,
    source: values.source,
    language: values.language,
    filters: filtersOf(values.filter ?? []),
    name: values.name,
    print: values.print ?? false,
    force: values.force ?? false,
    user: values.user ?? false,
    serverFlags: flagsOf(values),
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
function filtersOf(texts: readonly string[]): Config['filters'] {
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

function flagsOf(values: Readonly<Record<string, unknown>>): string[] {
  return serverFlags.flatMap((name) =>
    [values[name] ?? []]
      .flat()
      .flatMap((value) =>
        value === true ? [`--${name}`] : typeof value === 'string' ? [`--${name}`, value] : [],
      ),
  )
}

const serverFlags = [
  'config',
  'cache',
  'no-cache',
  'max-cache-mb',
  'timeout',
  'max-pages',
  'search-wait',
  'offline',
  'only',
  'allow-network',
  'structured-content',
  'site',
  'compat',
  'no-site-search',
  'user-agent',
]

function readArguments(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
        json: { type: 'boolean' },
        headings: { type: 'boolean' },
        code: { type: 'boolean' },
        print: { type: 'boolean' },
        force: { type: 'boolean' },
        user: { type: 'boolean' },
        offline: { type: 'boolean' },
        'no-cache': { type: 'boolean' },
        'structured-content': { type: 'boolean' },
        'no-site-search': { type: 'boolean' },
        site: { type: 'string', multiple: true },
        compat: { type: 'string' },
        'user-agent': { type: 'string' },
        config: { type: 'string' },
        cache: { type: 'string' },
        'max-cache-mb': { type: 'string' },
        timeout: { type: 'string' },
        'max-pages': { type: 'string' },
        'search-wait': { type: 'string' },
        only: { type: 'string', multiple: true },
        'allow-network': { type: 'string', multiple: true },
        http: { type: 'string' },
        'http-host': { type: 'string', multiple: true },
        'max-results': { type: 'string' },
        'max-length': { type: 'string' },
        'start-index': { type: 'string' },
        page: { type: 'string' },
        source: { type: 'string' },
        language: { type: 'string' },
        filter: { type: 'string', multiple: true },
        name: { type: 'string' },
      },
    })
  } catch (error) {
    // Node appends advice for arguments that begin with a dash.
    throw new UsageError(String((error as Error).message).replace(/\. To specify [\s\S]*/, '.'))
  }
}
