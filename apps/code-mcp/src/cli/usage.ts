export const usage = `code-mcp: any function of a repository, page by page, cut between statements

Serve MCP over stdio:
  code-mcp [folder …]               only files in these folders are read; default: this one

Query from the command line:
  code-mcp list  <file> [query]     functions and classes of a file
  code-mcp show  <file> [function]  a function, by name path, signature or line; or the file
  code-mcp find  <query …>          functions of all files
  code-mcp files <pattern>          files, by glob or a part of the name

Set up:
  code-mcp add <client> [folder …]  configure it in claude-code, claude-desktop, cursor, vscode,
                                    codex, gemini, opencode, windsurf, cline, kiro or zed

Answers:
  --root <folder>          instead of this folder; may be repeated
  --page <token>           continue where the previous reply stopped
  --line <n>               show: begin at this line of the function
  --path <path>            find: only in this file, folder or glob
  --json                   the answer as JSON

Settings, also in the environment as CODE_MCP_…; CODE_MCP_ROOTS names folders:
  --page-size <size>       size of a page: tokens, "300 lines" or "10 KB" (default 4000; at most 20000)
  --page-over <limits>     show functions up to this size in one piece: "500 lines, 10 KB"
  --locale <en|ja>         language of the first line of a page
  --max-parse-mb <n>       larger files are read as lines, without functions (default 16)
  --parse-timeout <s>      for one file (default 20)
  --search-wait <s>        maximum time of a search (default 20)
  --structured-content     also return figures of replies as structuredContent
  --name <name>            add: name of the server in the client
  --user                   add: for all folders instead of this one
  --force                  add: replace a server of the same name
  --print                  add: print the change without writing it
  --help, --version
`
