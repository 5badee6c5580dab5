import { clientNames } from '@pith-mcp/server-kit/clients'
import { addOptions, helpText, usageLines } from '@pith-mcp/server-kit/settings'
import { answerOptions, commands, isQuestion } from '../config.ts'
import { settings } from '../settings.ts'

export const usage: string = `code-mcp: any function of a repository and what uses it, page by page, cut between statements

Serve MCP:
  code-mcp [folder …]               over stdio
  code-mcp --http 8080 [folder …]   over Streamable HTTP, at http://127.0.0.1:8080/mcp

Only files in the folders are read; default: this folder.

Query from the command line:
  code-mcp list  <file> [query]     functions and classes of a file
  code-mcp show  <file> [function]  a function, by name path, signature or line; or the file
  code-mcp find  <query …>          functions, classes, constants and fields of all files
  code-mcp references <name>        what uses, extends or tests it
  code-mcp files <pattern>          files, by glob or a part of the name

Set up:
  code-mcp index [folder …]         fill the index of symbols, which a server fills by itself
  code-mcp doctor [folder …]        check the requirements and the folders
  code-mcp setup [folder …]         show, and write, its entry for all clients that are here
  code-mcp add <client> [folder …]  configure it in ${clientNames.slice(0, 4).join(', ')},
                                    ${clientNames.slice(4, 12).join(', ')},
                                    ${clientNames.slice(12).join(', ')}
  code-mcp remove <client>          take out what add wrote

Answers:
${usageLines(answerOptions, 27)}

Settings, also in the environment as CODE_MCP_…; CODE_MCP_ROOTS names folders:
${usageLines(settings, 27)}
${usageLines(addOptions, 27)}
  --help, --version
Secrets may be in files: CODE_MCP_TOKEN_FILE names that of CODE_MCP_TOKEN.
Exit codes: 0 success, 1 failure or no match, 2 wrong usage.
`

/** The help of one command, or all of it. @throws {UsageError} */
export const codeHelp = (topic: string | undefined): Promise<string> =>
  helpText(topic, {
    program: 'code-mcp',
    usage,
    commands,
    optionsOf: (command) =>
      isQuestion(command) || command === 'index'
        ? answerOptions
        : command === 'doctor'
          ? undefined
          : addOptions,
  })
