import type { Config, Question } from '../config.ts'
import { openCode } from '../open-code.ts'
import { readRoots, UsageError } from '../settings.ts'
import { allTools } from '../tools/all-tools.ts'

type Asked = [tool: string, args: Record<string, unknown>]

/** Which call answers a question of the command line. */
const calls: Readonly<Record<Question, (config: Config) => Asked>> = {
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
  find: ({ positionals, within }) => [
    'find_function',
    { query: positionals.join(' '), path: within },
  ],
  files: ({ positionals }) => ['find_file', { pattern: positionals.join(' ') }],
}

/** Answer one question from the command line; the text of the answer, or its JSON. */
export async function ask(question: Question, config: Config): Promise<string> {
  if (config.positionals.length === 0)
    throw new UsageError(`${question}: name ${question === 'find' ? 'words to find' : 'a file'}.`)
  const [name, args] = calls[question](config)
  const tool = allTools.find((one) => one.name === name)
  if (!tool) throw new Error(`There is no tool ${name}.`)
  const code = await openCode(config.settings, readRoots(config.roots, process.env))
  const stopping = new AbortController()
  process.once('SIGINT', () => stopping.abort(new UsageError('stopped.')))
  try {
    const { text, data } = await tool.answer(tool.input.parse(args), code, {
      locale: config.settings.locale,
      signal: stopping.signal,
    })
    return config.json ? JSON.stringify({ ...data, text }, null, 2) : forShell(text)
  } catch (error) {
    throw inCommands(error)
  } finally {
    await code.close()
  }
}

/** The reply is written for a model; its last lines name calls, here options. */
const forShell = (text: string): string =>
  text.replace(/\[next: \w+\([^\n]*page_token="([^"\n]+)"[^\n]*\)\]/g, '[next: --page $1]')

const commands: Readonly<Record<string, string>> = {
  list_functions_in_file: 'code-mcp list',
  find_function: 'code-mcp find',
  find_file: 'code-mcp files',
}

/** Remedies name tools, here commands. */
function inCommands(error: unknown): unknown {
  const failed = error as { remedy?: unknown }
  if (typeof failed?.remedy !== 'string') return error
  const remedy = failed.remedy.replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (name) => commands[name] ?? name)
  return Object.assign(error as object, { remedy })
}
