export const setting = {
  title: 'Add a setting',
  steps: [
    {
      text: 'Add a line to the table in `apps/<server>/src/settings.ts`. `Setting` in `packages/server-kit/src/settings/define-settings.ts` documents what a line may have. The flag, the variable, the validation, the type, the line of `--help` and the flags that `add` passes on follow from it.',
      places: [
        {
          path: 'apps/code-mcp/src/settings.ts',
          before: "  ...httpLines('CODE_MCP'),",
          insert:
            "  maxFiles: { type: number.int().gt(0).optional(), value: '<n>', help: 'files that one search covers' },\n",
        },
      ],
    },
    {
      text: 'Use it where the library is opened, in `open-docs.ts`, `open-code.ts` or `open/open-aggregator.ts`. `render/` has no settings: what a reply shows is an option of its tool.',
      places: [
        {
          path: 'apps/code-mcp/src/open-code.ts',
          after: '    searchWaitMs: settings.searchWait * 1000,\n',
          insert: '    ...(settings.maxFiles !== undefined && { maxFiles: settings.maxFiles }),\n',
        },
      ],
    },
    {
      text: 'Add a row to `apps/<server>/test/every-setting.test.ts`, which looks for its effect and fails without one. A key of the aggregator’s configuration has its row in `packages/aggregator/test/config/every-key.test.ts` or, of the object `aggregator`, in `apps/aggregator-mcp/test/open/every-setting.test.ts`; nothing on its way names it, since the object that the schema reads is the one that is used.',
      places: [
        {
          path: 'apps/code-mcp/test/every-setting.test.ts',
          before: "  http: {\n    text: 'localhost:0',",
          insert: `  maxFiles: {
    text: '1',
    async arrives(way) {
      const { use } = await serveWith(way)
      expect(await use('find_function', { query: 'f1' })).toContain('too many files')
    },
  },
`,
        },
      ],
    },
    {
      text: 'Run `pnpm build`, then `pnpm vitest run --project built reference -u`, which writes it into the manual.',
      places: [
        { path: 'docs/code/settings.md', isGenerated: true },
        { path: 'docs/reference/code-mcp.md', isGenerated: true },
      ],
    },
    {
      text: 'If users of the MCP Registry or of the bundle need it, add it to `server.json` or `manifest.json`; a test compares these with the table.',
    },
  ],
  tests: ['apps/code-mcp/test/every-setting.test.ts', 'test/registry.test.ts'],
}
