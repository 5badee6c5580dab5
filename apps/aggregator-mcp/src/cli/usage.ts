export const usage = `aggregator-mcp: many MCP servers behind one endpoint.

  aggregator-mcp [options]              serve over stdio
  aggregator-mcp --http [HOST:]PORT     serve over Streamable HTTP, at /mcp

  -c, --config FILE      servers, {"mcpServers": {…}} as clients write it; default mcp.json
                         (AGGREGATOR_MCP_CONFIG). May be given several times.
  -m, --mode MODE        what clients see of the tools (AGGREGATOR_MCP_MODE):
                           meta  search_tools, get_module_schema, call, batch, read_more (default)
                           list  every tool, its name and one line; get_module_schema has the rest
                           full  every tool as its server gives it
                           auto  the most of it that takes at most 3,000 tokens
      --no-prefix        tools and prompts without the name of their server before theirs
      --state DIR        where what servers offer is kept between starts; --no-state for nowhere
      --http-host NAME   a name under which the HTTP endpoint is reached; may be repeated
      --result-characters N   most characters of one result in meta and list; default 20000
      --stats            print what the modes cost in tokens with these servers, and end
      --stderr           show what servers write to their error output
  -h, --help             this text
  -v, --version

Beyond this machine the HTTP endpoint needs a token: AGGREGATOR_MCP_TOKEN.
`
