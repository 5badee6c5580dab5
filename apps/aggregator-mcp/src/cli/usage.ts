export const usage = `aggregator-mcp: many MCP servers behind one endpoint.

Usage:
  aggregator-mcp [options]              serve over stdio
  aggregator-mcp --http [HOST:]PORT     serve over Streamable HTTP, at /mcp and /mcp/PROFILE
  aggregator-mcp COMMAND --help

Commands:
  add, remove                   add or remove servers; add CLIENT adds the aggregator to a client
  login, logout                 sign in to servers over HTTP, or sign out
  list, tools, search, call     list servers and tools; search and call tools
  status, doctor, stats         show running aggregators, problems, usage and cost
  import                        move the servers of your clients into one file
  pin                           approve tools whose definition changed, or addresses the model
  token                         create and revoke access tokens for HTTP
  console                       open the console of an aggregator that serves HTTP

Options:
  -c, --config FILE      servers, {"mcpServers": {…}} as clients write it; reloaded when changed;
                         repeatable (default ~/.config/pith/aggregator.json;
                         AGGREGATOR_MCP_CONFIG)
  -m, --mode MODE        how tools are listed (AGGREGATOR_MCP_MODE):
                           meta  search_tools, get_module_schema, call, batch, read_more (default)
                           list  name and one line of every tool; get_module_schema has the rest
                           full  every tool as its server defines it
                           auto  the most complete of these within 3,000 tokens
  -p, --profile NAME     serve only this profile of the configuration (AGGREGATOR_MCP_PROFILE)
      --no-prefix        list tools and prompts without the name of their server
      --state DIR        folder for pins, the journal and cached tool lists (default
                         ~/.local/state/pith/aggregator-mcp); --no-state stores nothing
      --http-host NAME   accept this host name over HTTP; repeatable
      --max-result-characters N  length of a result in meta and list (default 20000)
      --stderr           log what servers write to stderr
      --log-format text|json, --log-level debug|info|warn|error
                         logs on stderr (AGGREGATOR_MCP_LOG_FORMAT, …_LOG_LEVEL)
  -h, --help             show this help
  -v, --version          show the version

Beyond this machine, HTTP requires a credential: AGGREGATOR_MCP_TOKEN, a token made by "token
create", or callers or oauth in the configuration.
`
