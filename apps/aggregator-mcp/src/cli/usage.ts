export const usage = `aggregator-mcp: many MCP servers behind one endpoint.

  aggregator-mcp [options]              serve over stdio
  aggregator-mcp --http [HOST:]PORT     serve over Streamable HTTP, at /mcp and /mcp/PROFILE
  aggregator-mcp COMMAND --help

  add, remove                   servers into and out of the configuration; add CLIENT enters
                                the aggregator into a client
  login, logout                 sign-ins at servers over HTTP
  list, tools, search, call     the servers and tools, from here
  status, doctor, stats         what runs, what is wrong, what was called and what it cost
  import                        take the servers of your clients into one file
  pin                           tools whose definition changed, or speaks to the model
  token                         tokens by which others come in over HTTP
  console                       opens the console of one that serves HTTP, in a browser

  -c, --config FILE      servers, {"mcpServers": {…}} as clients write it; default
                         ~/.config/pith/aggregator.json (AGGREGATOR_MCP_CONFIG). May be given
                         several times. Changes are heeded without a new start.
  -m, --mode MODE        what clients see of the tools (AGGREGATOR_MCP_MODE):
                           meta  search_tools, get_module_schema, call, batch, read_more (default)
                           list  every tool, its name and one line; get_module_schema has the rest
                           full  every tool as its server gives it
                           auto  the most of it that takes at most 3,000 tokens
  -p, --profile NAME     only what this profile of the configuration has (AGGREGATOR_MCP_PROFILE)
      --no-prefix        tools and prompts without the name of their server before theirs
      --state DIR        where pins, the journal and what servers offer are kept; default
                         ~/.local/state/pith/aggregator-mcp; --no-state for nowhere
      --http-host NAME   a name under which the HTTP endpoint is reached; may be repeated
      --result-characters N   most characters of one result in meta and list; default 20000
      --stderr           show what servers write to their error output
      --log-format text|json, --log-level debug|info|warn|error
                         what is said on stderr (AGGREGATOR_MCP_LOG_FORMAT, …_LOG_LEVEL)
  -h, --help             this text
  -v, --version

Beyond this machine the HTTP endpoint needs a token: AGGREGATOR_MCP_TOKEN, one made by "token
create", or callers or oauth in the configuration.
`
