import type { System } from '../inspired-by.ts'

const rows = 'packages/aggregator/test/compat/meta-tools.test.ts'
const tools = 'packages/aggregator/test/tools'
const catalog = 'packages/aggregator/test/catalog'

export const mcpist: System = {
  title: 'MCPist',
  text: 'Three meta-tools for all modules, several accounts of each, and nothing in the context that a client may not use. The mode `meta` of `aggregator-mcp` has them, with `search_tools` and `read_more`.',
  behaviours: [
    {
      behaviour: 'lists meta-tools instead of all tools',
      place: 'packages/aggregator/src/tools/list-modes/list-modes.ts',
      test: [`${tools}/meta-tools.test.ts`, 'meta lists five tools and starts nothing for it'],
      difference: 'five, not three',
    },
    {
      behaviour: '`get_module_schema` gives the tools of a module',
      place: 'packages/aggregator/src/tools/get-module-schema.ts',
      test: [rows, 'get_module_schema: module'],
      difference: 'signatures for a large module',
    },
    {
      behaviour: '`call` takes module, tool and parameters',
      place: 'packages/aggregator/src/tools/call.ts',
      test: [rows, 'call: params'],
      difference: 'checked before the server is called',
    },
    {
      behaviour: '`batch` takes a line of JSON for each call',
      place: 'packages/aggregator/src/tools/batch/parse-commands.ts',
      test: [rows, 'batch: commands'],
      difference: '`dry_run` only checks',
    },
    {
      behaviour: '`after` names the calls that come before',
      place: 'packages/aggregator/src/tools/batch/run-graph.ts',
      test: [rows, 'batch: after'],
    },
    {
      behaviour: '`output` names the results to return',
      place: 'packages/aggregator/src/tools/batch/render-batch.ts',
      test: [rows, 'batch: output'],
      difference: 'failures are returned, too',
    },
    {
      behaviour: 'puts a value of an earlier result into parameters',
      place: 'packages/aggregator/src/tools/batch/references.ts',
      test: [rows, 'batch: a reference'],
      difference: 'implies `after`; single values only',
    },
    {
      behaviour: 'has several accounts of a module, each with its own credentials',
      place: 'packages/servers/src/config/to-server.ts',
      test: [
        `${catalog}/accounts.test.ts`,
        'an account is started with its own settings, which win over the settings of its server',
      ],
    },
    {
      behaviour: 'keeps accounts apart',
      place: 'packages/aggregator/src/upstream/instances.ts',
      test: [
        `${catalog}/accounts.test.ts`,
        'two accounts used a thousand times at once never cross',
      ],
    },
    {
      behaviour: 'filters tools before they reach the context',
      place: 'packages/aggregator/src/catalog/policy/profile.ts',
      test: [
        `${catalog}/policy/profiles.test.ts`,
        'in no list, search, schema, call, error or instruction',
      ],
    },
  ],
}
