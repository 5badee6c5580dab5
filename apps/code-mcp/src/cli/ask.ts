import { CodeError } from '@pith-mcp/code'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { CallError, type CommandForm, withCommands } from '@pith-mcp/server-kit/tools'
import type { Config, Question } from '../config.ts'
import { openCode } from '../open-code.ts'
import { callText } from '../render/next-call.ts'
import { readRoots } from '../roots.ts'
import { nextCall } from '../tool-error.ts'
import { allTools } from '../tools/all-tools.ts'

type ToolCall = [tool: string, args: Record<string, unknown>]

const calls: Readonly<Record<Question, (config: Config) => ToolCall>> = {
  list: ({ positionals: [file, ...words], page }) => [
    'list_functions_in_file',
    { file_path: file, query: words.join(' '), page_token: page },
  ],
  show: ({ positionals: [file, ...words], page, line }) => [
    'get_chunk',
    {
      chunk_id: words.length === 0 ? file : `${file}#${words.join(' ')}`,
      page_token: page,
      start_line: line,
    },
  ],
  find: ({ positionals, path, maxResults }) => [
    'find_function',
    { query: positionals.join(' '), path, max_results: maxResults },
  ],
  references: ({ positionals, kind, path, from }) => [
    'find_references',
    { name: positionals.join(' '), kind, path, from },
  ],
  files: ({ positionals }) => ['find_file', { pattern: positionals.join(' ') }],
}

const requiredArgument: Readonly<Record<Question, string>> = {
  list: 'a file',
  show: 'a file',
  find: 'words to search for',
  references: 'a name',
  files: 'a pattern',
}

/** Answer one question of the command line, as text or JSON; and whether anything was found. */
export async function ask(
  question: Question,
  config: Config,
): Promise<{ text: string; isFound: boolean }> {
  if (config.positionals.length === 0)
    throw new UsageError(`${question} requires ${requiredArgument[question]}.`)
  if (config.serverFlags.includes('--compat'))
    throw new UsageError(
      '--compat is for the tools of the server. Use --page-size, --page and --locale here.',
    )
  const [name, args] = calls[question](config)
  const tool = allTools.find((candidate) => candidate.name === name)
  if (!tool) throw new Error(`There is no tool ${name}.`)
  const code = await openCode(config.settings, readRoots(config.roots, process.env), {
    fillsIndex: false,
  })
  const stopping = new AbortController()
  process.once('SIGINT', () => stopping.abort(new UsageError('The command was interrupted.')))
  try {
    const { text, data } = await tool.answer(tool.input.parse(args), code, {
      locale: config.settings.locale,
      signal: stopping.signal,
    })
    return {
      text: config.json ? JSON.stringify({ ...data, text }, null, 2) : forShell(text, question),
      isFound: (data['shown'] ?? data['total']) !== 0,
    }
  } catch (error) {
    throw inCommands(error, args)
  } finally {
    await code.close()
  }
}

const forms: Readonly<Record<string, CommandForm>> = {
  find_function: { command: 'code-mcp find', words: ['query'] },
  find_references: { command: 'code-mcp references', words: ['name'] },
  list_functions_in_file: { command: 'code-mcp list', words: ['file_path', 'query'] },
  get_chunk: { command: 'code-mcp show', words: ['chunk_id'] },
  find_file: { command: 'code-mcp files', words: ['pattern'] },
}

/** The flags of the parameters that replies name. */
const flags: Readonly<Record<string, string>> = {
  page_token: '--page',
  page_size: '--page-size',
  start_line: '--line',
  path: '--path',
  max_results: '--max-results',
  from: '--from',
  kind: '--kind',
}

/** The reply is written for a model: its calls and parameters, here as commands and flags. */
function forShell(text: string, question: Question | undefined): string {
  const current = `code-mcp ${question}`
  const worded = (line: string): string => withCommands(line, forms, flags, current)
  // Code is between fences, and other lines of the file are numbered.
  const parts = text.split(/^((`{3,})\w*\n[\s\S]*?\n\2)$/m)
  return parts
    .filter((_, at) => at % 3 !== 2)
    .map((part, at) => (at % 2 === 0 ? part.replace(/^(?! *\d+│).+$/gm, worded) : part))
    .join('')
    .replace(/\bor find_file\b/, 'or code-mcp files')
    .replace('repeat the call to compare them', 'code-mcp index adds them')
}

function inCommands(error: unknown, args: Readonly<Record<string, unknown>>): unknown {
  if (!(error instanceof CodeError || error instanceof CallError)) return error
  const next = error instanceof CodeError ? nextCall(error, args) : undefined
  const remedy = `${error.remedy}${next ? ` ${callText(next)}` : ''}`
  return Object.assign(new Error(error.message), { remedy: forShell(remedy, undefined) })
}
