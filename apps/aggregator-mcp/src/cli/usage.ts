import { usageLines } from '@pith-mcp/server-kit/settings'
import { levels, logFormats } from '../log/logger.ts'
import { settings } from '../settings.ts'

export const usage: string = `aggregator-mcp: many MCP servers behind one endpoint.

Usage:
  aggregator-mcp [options]              serve over stdio
  aggregator-mcp --http [HOST:]PORT     serve over Streamable HTTP, at /mcp and /mcp/PROFILE
  aggregator-mcp help [COMMAND]

Commands:
  setup                         add the aggregator to all clients that are here
  add, remove                   add or remove servers; add CLIENT adds the aggregator to a client
  registry                      search the registry of MCP servers, and add servers of it
  config                        show and set values of the configuration; list and undo changes
  login, logout                 sign in to servers over HTTP, or sign out
  start, stop, restart          control a server of running aggregators
  list, tools, search, call     list servers and tools; search and call tools
  clients                       list the MCP clients of this computer, and when they were seen
  status, doctor, stats         show running aggregators, problems, usage and cost
  meter                         count what results cost in sessions of Claude Code and Codex
  journal                       read, follow, export and verify the journal of calls and changes
  import                        move the servers of your clients into one file
  skills                        serve the skills of a folder as an MCP server
  migrate                       create or update the tables of the shared database
  approvals, explain            answer calls that wait for you; say what would happen to a call
  pin                           approve tools whose definition changed, or addresses the model
  token                         create, rotate and revoke access tokens for HTTP
  console                       open the console of an aggregator that serves HTTP

Options:
${usageLines(settings, 25)}
      --log-format ${logFormats.join('|')}, --log-level ${levels.join('|')}
                         logs on stderr (AGGREGATOR_MCP_LOG_FORMAT, …_LOG_LEVEL)
  -h, --help             show this help
  -v, --version          show the version

Beyond this machine, HTTP requires a credential: AGGREGATOR_MCP_TOKEN, a token made by "token
create", or callers or oauth in the configuration. Secrets may be in files: NAME_FILE names
that of the variable NAME, as in AGGREGATOR_MCP_TOKEN_FILE.
`
