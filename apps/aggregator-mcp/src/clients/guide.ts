import type { Guide } from '@pith-mcp/server-kit/clients'

export const guide: Guide = {
  name: 'use-many-tools',
  description:
    'Use the tools of many services through one server. Use it whenever a task needs a service, such as an issue tracker, a chat or a database, and no tool for it is listed.',
  text: `# Use many tools

The tools of all services are behind aggregator-mcp:

1. \`search_tools\` with service, verb and object, such as "github create issue". It returns signatures.
2. \`call\` with the module, the tool and its params. A long result comes in pages: \`read_more\` has the rest, a part by a query, or one by JSONPath.
3. \`get_module_schema\` gives all tools of a module, at most once a session.
4. \`batch\` runs calls that depend on each other in one request.

Search here before you say that a tool is missing. Do not use it for files, commands or searches that your own tools do, nor again for a tool whose signature you have seen.`,
}
