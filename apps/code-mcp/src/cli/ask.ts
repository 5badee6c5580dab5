import { CodeError } from '@pith-mcp/code'
import { UsageError } from '@pith-mcp/server-kit/settings'
import type { Config, Question } from '../config.ts'
import { openCode } from '../open-code.ts'
import type { NextCall } from '../render/next-call.ts'
import { readRoots } from '../roots.ts'
import { nextCall } from '../tool-error.ts'
import { allTools } from '../tools/all-tools.ts'

type ToolCall = [tool: string, args: Record<string, unknown>]

const calls: Readonly<Record<Question, (config: Config) => ToolCall>> = {
  list: ({ positionals: [file, ...words], page }) => [
    'list_functions_in_file',
    { file_path: file, query: words.join(' '), page_token: page },
  ],
  show: ({ positionals: [file, ...words], page, line }) =>
    words.length === 0
      ? ['get_chunk', { chunk_id: file, page_token: page, start_line: line }]
      : [
          'get_function_chunk',
          { file_path: file, function: words.join(' '), page_token: page, start_line: line },
        ],
  find: ({ positionals, path }) => ['find_function', { query: positionals.join(' '), path }],
  files: ({ positionals }) => ['find_file', { pattern: positionals.join(' ') }],
}

const requiredArgument: Readonly<Record<Question, string>> = {
  list: 'a file',
  show: 'a file',
  find: 'words to search for',
  files: 'a pattern',
}

/** Answer one question of the command line, as text or JSON. */
export async function ask(question: Question, config: Config): Promise<string> {
  if (config.positionals.length === 0)
    throw new UsageError(`${question} requires ${requiredArgument[question]}.`)
  const [name, args] = calls[question](config)
  const tool = allTools.find((one) => one.name === name)
  if (!tool) throw new Error(`There is no tool ${name}.`)
  const code = await openCode(config.settings, readRoots(config.roots, process.env))
  const stopping = new AbortController()
  process.once('SIGINT', () => stopping.abort(new UsageError('The command was interrupted.')))
  try {
    const { text, data } = await tool.answer(tool.input.parse(args), code, {
      locale: config.settings.locale,
      signal: stopping.signal,
    })
    return config.json ? JSON.stringify({ ...data, text }, null, 2) : forShell(text)
  } catch (error) {
    throw inCommands(error, args)
  } finally {
    await code.close()
  }
}

/** The reply is written for a model; its last lines name calls, here replaced by options. */
const forShell = (text: string): string =>
  text
    .replace(/\[next: \w+\([^\n]*page_token="([^"\n]+)"[^\n]*\)\]/g, '[next: --page $1]')
    .replace(/\bor find_file\b/, 'or code-mcp files')

/** The calls that help after an error, as commands. */
const commands: Readonly<Record<string, (args: NextCall['args']) => string>> = {
  list_functions_in_file: ({ file_path }) => `code-mcp list ${file_path}`,
  find_file: ({ pattern }) => `code-mcp files ${pattern}`,
}

function inCommands(error: unknown, args: Readonly<Record<string, unknown>>): unknown {
  const next = error instanceof CodeError ? nextCall(error, args) : undefined
  const command = next && commands[next.tool]?.(next.args)
  if (command === undefined) return error
  const { message, remedy } = error as CodeError
  return Object.assign(new Error(message), { remedy: `${remedy} ${command}` })
}
