export const operation = {
  title: 'Add an operation',
  intro:
    'An operation has its HTTP method and path, its schemas, what the journal says of it, and `run`. The API and its description follow from it.',
  steps: [
    {
      text: 'Add it to the list of its subject in `apps/aggregator-mcp/src/operations/`. `audit` is the line of the journal; without it, the operation must not change anything. Give `run` a `StateContext` if it needs no servers: then commands can perform it.',
      places: [
        {
          path: 'apps/aggregator-mcp/src/operations/profiles.ts',
          after: '      return { profiles: await Promise.all(exposed) }\n    },\n  }),\n',
          insert: `  operation({
    method: 'post',
    path: '/profiles/count',
    summary: 'Count the profiles.',
    audit: () => 'profiles count',
    answer: z.object({ profiles: z.int() }),
    run: (_, { config }) => ({ profiles: Object.keys(config().settings.profiles ?? {}).length }),
  }),
`,
        },
      ],
    },
    {
      text: '`pnpm vitest run --project aggregator-mcp api -u` writes `docs/aggregator-api.json`, from which `npm run check` makes the types of the console’s client.',
      places: [{ path: 'docs/aggregator-api.json', isGenerated: true }],
    },
    {
      text: 'If it changes something, add it to the table in `apps/aggregator-mcp/test/api/admin-lines.test.ts`.',
      places: [
        {
          path: 'apps/aggregator-mcp/test/api/admin-lines.test.ts',
          after: "  'POST /tokens': 'token create ci',\n",
          insert: "  'POST /profiles/count': 'profiles count',\n",
        },
      ],
    },
    {
      text: 'For a command, `perform` it in `apps/aggregator-mcp/src/cli/`, as `pin.ts` and `token.ts` do, and print its output. Describe it in the manual.',
      places: [
        {
          path: 'docs/console/configure.md',
          before: 'Errors are `application/problem+json`',
          insert: '`POST /api/v1/profiles/count` counts the profiles.\n\n',
        },
      ],
    },
  ],
  updates: ['apps/aggregator-mcp/test/api/openapi.test.ts'],
  commands: [
    {
      folder: 'packages/console',
      program: 'node_modules/openapi-typescript/bin/cli.js',
      args: ['../../docs/aggregator-api.json', '--output', 'web/api/schema.d.ts'],
    },
  ],
  tests: ['apps/aggregator-mcp/test/api'],
}
