import type { System } from '../inspired-by.ts'

const library = 'packages/aggregator/test'
const running = 'apps/aggregator-mcp/test/running'

export const searchMcp: System = {
  title: 'Search MCP, an aggregator',
  text: 'Many servers behind one endpoint, without the cost of all their tools: `aggregator-mcp`.',
  behaviours: [
    {
      behaviour: 'offers the tools of many servers at one endpoint',
      place: 'packages/aggregator/src/catalog/gateway.ts',
      test: [
        `${library}/server/gateway.test.ts`,
        'is filled by asking every server once, and survives the process',
      ],
    },
    {
      behaviour: 'reads servers as clients write them: command, arguments, environment',
      place: 'packages/servers/src/config/read-config.ts',
      test: ['packages/servers/test/config/read-config.test.ts', 'with a command'],
    },
    {
      behaviour: 'starts, stops and restarts servers',
      place: 'packages/aggregator/src/upstream/server-control.ts',
      test: [
        `${library}/upstream/server-control.test.ts`,
        'a server that is stopped is not used until it is started',
      ],
    },
    {
      behaviour: 'lists tools with a name and one line',
      place: 'packages/aggregator/src/tools/list-modes/list-modes.ts',
      test: [
        `${library}/tools/meta-tools.test.ts`,
        'list has a line for each tool, which can be called by its name',
      ],
      difference: 'the default mode lists five tools of ours instead',
    },
    {
      behaviour: 'gives the schema of a tool on demand',
      place: 'packages/aggregator/src/tools/get-module-schema.ts',
      test: [`${library}/tools/meta-tools.test.ts`, 'of a large module gives signatures'],
    },
    {
      behaviour: 'names a tool by its server: `server.tool`',
      place: 'packages/aggregator/src/catalog/resolve-tool.ts',
      test: [`${library}/compat/meta-tools.test.ts`, 'call: tool_name'],
    },
    {
      behaviour: 'returns the result of a tool unchanged',
      place: 'packages/aggregator/src/tools/call.ts',
      test: [`${library}/tools/meta-tools.test.ts`, 'gives the result of the tool as it is'],
      difference: 'a long result comes in pages',
    },
    {
      behaviour: 'checks the health of a server',
      place: 'apps/aggregator-mcp/src/cli/doctor.ts',
      test: [
        `${running}/console-api.test.ts`,
        'that cannot be started say why, and a checkup says what to do',
      ],
      difference: 'on request and by use; no check at intervals',
    },
    {
      behaviour: 'connects again to a server that ended',
      place: 'packages/aggregator/src/upstream/upstream.ts',
      test: [`${running}/life-cycle.test.ts`, 'between two calls is started again, in %s'],
      difference: 'at the next call',
    },
    {
      behaviour: 'searches tools by name, also by a part of it',
      place: 'packages/aggregator/src/tools/search-tools.ts',
      test: [`${library}/tools/search/search-tools.test.ts`, 'is found %s'],
    },
    {
      behaviour: 'searches tools by server and tag',
      place: 'packages/aggregator/src/tools/search/tool-search.ts',
      test: [`${library}/tools/search/search-tools.test.ts`, 'can be limited to %s'],
    },
    {
      behaviour: 'searches tools by meaning',
      place: 'packages/aggregator/src/tools/search/rank-by-meaning.ts',
      test: [
        `${library}/tools/search/by-meaning.test.ts`,
        'a query in other words, or in another language, finds the tool',
      ],
      difference: 'off until `aggregator.embeddings` names a model; none is bundled',
    },
    {
      behaviour: 'limits the rate of calls',
      place: 'packages/aggregator/src/call/limits/rate-limiter.ts',
      test: [`${library}/call/limits/limits.test.ts`, 'of a server is the one in its own entry'],
    },
    {
      behaviour: 'keeps an audit log of calls',
      place: 'packages/aggregator/src/call/journal/call-record.ts',
      test: [
        `${library}/call/journal/journal.test.ts`,
        'says who called what, how large it was, how long it took and how it ended',
      ],
      difference: 'a hash and the size of arguments, not their values',
    },
    {
      behaviour: 'counts calls, errors, times and tokens by server, tool, account, day and caller',
      place: 'packages/journal/src/usage.ts',
      test: [
        `${library}/call/journal/journal.test.ts`,
        'usage is counted by what lines have in common',
      ],
    },
    {
      behaviour: 'applies a changed configuration while it runs',
      place: 'packages/aggregator/src/server/active-config.ts',
      test: [
        `${running}/reload.test.ts`,
        'is applied: servers come and go, and only what changed is restarted',
      ],
      difference: 'a wrong file is refused whole',
    },
    {
      behaviour: 'wants a credential from clients on other machines',
      place: 'apps/aggregator-mcp/src/serve/serve-http.ts',
      test: [`${running}/http.test.ts`, 'does not open to other machines without a token'],
    },
    {
      behaviour: 'encrypts the connection',
      place: 'packages/server-kit/src/http/open-tls-files.ts',
      test: [
        'apps/aggregator-mcp/test/open/tls.test.ts',
        'clients of all revisions are served over TLS',
      ],
    },
    {
      behaviour: 'runs servers in a sandbox',
      place: 'packages/sandbox/src/backends/bubblewrap.ts',
      test: [
        `${running}/sandbox.test.ts`,
        'is kept to what its configuration allows, and doctor says what that is',
      ],
      difference: 'on Linux; elsewhere by a command of your own',
    },
    {
      behaviour: 'has a console that manages servers',
      place: 'apps/aggregator-mcp/src/config-file/edit-servers.ts',
      test: ['test/console/steering.test.ts', 'a server is added, switched off and removed'],
    },
    {
      behaviour: 'needs less than 50 MB of memory',
      place: 'docs/numbers.md',
      difference: 'not met: 88 MB idle with eight servers',
    },
    {
      behaviour: 'runs on Node.js 18',
      place: 'apps/aggregator-mcp/package.json',
      difference: 'not met: 20.19 or later',
    },
  ],
}
