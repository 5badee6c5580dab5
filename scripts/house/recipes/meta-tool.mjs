export const metaTool = {
  title: 'Add a meta-tool',
  steps: [
    {
      text: 'Add a file to `packages/aggregator/src/tools/` with its name, description, schema, annotations and answer; `meta-tool.ts` documents these. Add it to `all-meta-tools.ts`.',
      places: [
        {
          path: 'packages/aggregator/src/tools/count-tools.ts',
          create: `import { type MetaTool, readsOnly, textResult } from './meta-tool.ts'

export const countTools: MetaTool = {
  name: 'count_tools',
  description: () => 'Count all tools.',
  inputSchema: { type: 'object', properties: {} },
  annotations: readsOnly,
  answer: async (_args, { view }) => textResult(\`\${view.tools.length} tools\`),
}
`,
        },
        {
          path: 'packages/aggregator/src/tools/all-meta-tools.ts',
          after: "import { callReadOnly } from './call-read-only.ts'\n",
          insert: "import { countTools } from './count-tools.ts'\n",
        },
        {
          path: 'packages/aggregator/src/tools/all-meta-tools.ts',
          after: '  readMore,\n',
          insert: '  countTools,\n',
        },
      ],
    },
    {
      text: 'Name it in the help of `--mode` (`apps/aggregator-mcp/src/settings.ts`) and in `apps/aggregator-mcp/manifest.json`, which the bundle shows.',
      places: [
        {
          path: 'apps/aggregator-mcp/src/settings.ts',
          after: 'get_module_schema, call, batch, read_more',
          insert: ', count_tools',
        },
        {
          path: 'apps/aggregator-mcp/manifest.json',
          replace: '{ "name": "read_more", "description": "Go on with a long result." }',
          insert:
            '{ "name": "read_more", "description": "Go on with a long result." },\n    { "name": "count_tools", "description": "Count all tools." }',
        },
      ],
    },
    {
      text: 'Add it to the list that `packages/aggregator/test/tools/meta-tools.test.ts` expects, and test its replies through a client.',
      places: [
        {
          path: 'packages/aggregator/test/tools/meta-tools.test.ts',
          replace: "      'batch',\n      'read_more',\n",
          insert: "      'batch',\n      'read_more',\n      'count_tools',\n",
        },
      ],
    },
    {
      text: 'Describe it in `docs/aggregator/what-the-model-sees.md` and in the READMEs of the package and the program. Run `pnpm build`, then `pnpm vitest run --project built reference -u`.',
      places: [
        {
          path: 'docs/aggregator/what-the-model-sees.md',
          before: '**`read_more`** continues',
          insert: '**`count_tools`** counts all tools.\n\n',
        },
        {
          path: 'packages/aggregator/README.md',
          after: '`batch`, `read_more`',
          insert: ', `count_tools`',
        },
        {
          path: 'apps/aggregator-mcp/README.md',
          before: '| `read_more(result, page?, query?, select?)`',
          insert: '| `count_tools()` | the number of all tools |\n',
        },
        { path: 'docs/reference/aggregator-mcp.md', isGenerated: true },
      ],
    },
  ],
  note: 'Every description costs every user on every turn: write what the schema cannot express.',
  tests: [
    'packages/aggregator/test/tools/meta-tools.test.ts',
    'test/registry.test.ts',
    'test/readme.test.ts',
  ],
}
