import { parseArgs } from 'node:util'
import { readSettings, type Settings, UsageError } from './settings.ts'

/** Questions that the command line answers. */
const questions = ['list', 'show', 'find', 'files'] as const
export type Question = (typeof questions)[number]

export const commands = [...questions, 'add'] as const

export interface Config {
  command: 'serve' | 'help' | 'version' | 'add' | Question
  /** Behind the command; for `serve`, the folders. */
  positionals: string[]
  settings: Settings
  /** Folders that questions are asked of. */
  roots: string[]
  json: boolean
  page: string | undefined
  line: number | undefined
  within: string | undefined
  name: string | undefined
  print: boolean
  force: boolean
  /** For all folders of the user. */
  user: boolean
  /** Options of a server as they were given. */
  serverFlags: string[]
}

/** Read a command line, without the node and script in front. @throws {UsageError} */
export function parseConfig(argv: readonly string[], environment = process.env): Config {
  const { values, positionals } = readArguments(argv)
  const [first, ...rest] = positionals
  const named = commands.find((name) => name === first)
  const command = values.help ? 'help' : values.version ? 'version' : (named ?? 'serve')
  const isTold = command === 'help' || command === 'version'
  const line = values.line === undefined ? undefined : Number(values.line)
  if (line !== undefined && !(Number.isInteger(line) && line > 0))
    throw new UsageError(`--line ${values.line}: is not a line, from 1.`)
  const flags = {
    pageSize: values['page-size'],
    pageOver: values['page-over'],
    locale: values.locale,
    maxParseMb: values['max-parse-mb'],
    parseTimeout: values['parse-timeout'],
    searchWait: values['search-wait'],
    structuredContent: values['structured-content'],
  }
  return {
    command,
    positionals: named ? rest : positionals,
    settings: readSettings(isTold ? {} : flags, isTold ? {} : environment),
    roots: values.root ?? [],
    json: values.json ?? false,
    page: values.page,
    line,
    within: values.path,
    name: values.name,
    print: values.print ?? false,
    force: values.force ?? false,
    user: values.user ?? false,
    serverFlags: flagsOf(values),
  }
}

const serverFlags = [
  'page-size',
  'page-over',
  'locale',
  'max-parse-mb',
  'parse-timeout',
  'search-wait',
  'structured-content',
]

/** Options that a server is started with, as on a command line. */
function flagsOf(values: Readonly<Record<string, unknown>>): string[] {
  return serverFlags.flatMap((name) => {
    const value = values[name]
    if (value === true) return [`--${name}`]
    return typeof value === 'string' ? [`--${name}`, value] : []
  })
}

function readArguments(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
        json: { type: 'boolean' },
        root: { type: 'string', multiple: true },
        page: { type: 'string' },
        line: { type: 'string' },
        path: { type: 'string' },
        name: { type: 'string' },
        print: { type: 'boolean' },
        force: { type: 'boolean' },
        user: { type: 'boolean' },
        'page-size': { type: 'string' },
        'page-over': { type: 'string' },
        locale: { type: 'string' },
        'max-parse-mb': { type: 'string' },
        'parse-timeout': { type: 'string' },
        'search-wait': { type: 'string' },
        'structured-content': { type: 'boolean' },
      },
    })
  } catch (error) {
    // Node goes on with advice for words that begin with a dash.
    throw new UsageError(String((error as Error).message).replace(/\. To specify [\s\S]*/, '.'))
  }
}
