const fixture = 'packages/server-kit/test/clients/fixtures/example'
const variable = '$' + '{SOME_KEY}'

export const client = {
  title: 'Add a client',
  steps: [
    {
      text: 'Add a file to `packages/server-kit/src/clients/`: where the client stores its servers, how an entry is written, how one is read, and what an installation has. Add a line to `all-clients.ts`. `add` of all servers, their help and `aggregator-mcp import` use both.',
      places: [
        {
          path: 'packages/server-kit/src/clients/example.ts',
          create: `import { type Client, usualIn } from './entries/client.ts'
import { shellVariables } from './entries/dialect.ts'
import { asIs, serverRules } from './entries/rules.ts'

export const example: Client = {
  name: 'example',
  title: 'Example',
  ...usualIn('mcpServers', '.example', 'mcp.json'),
  dialect: shellVariables,
  rules: { ...serverRules, disabled: asIs },
  commands: ['example'],
}
`,
        },
        {
          path: 'packages/server-kit/src/clients/all-clients.ts',
          after: "import { cursor } from './cursor.ts'\n",
          insert: "import { example } from './example.ts'\n",
        },
        {
          path: 'packages/server-kit/src/clients/all-clients.ts',
          after: '  antigravity,\n',
          insert: '  example,\n',
        },
      ],
    },
    {
      text: 'Add a folder to `packages/server-kit/test/clients/fixtures/`, with a home of such a user that you made up, and a line for the file that `add` writes to `add-server.test.ts`. `contract.test.ts` runs on every client; with `-u` it writes the `locations.txt` that you read before you commit it.',
      places: [
        {
          path: `${fixture}/expected.json`,
          create: `${JSON.stringify({
            files: [
              { path: '.example/mcp.json', at: ['mcpServers'], scope: 'user', format: 'json' },
            ],
            servers: { local: { command: 'uvx', args: ['some-mcp'], env: { KEY: variable } } },
            notMoved: {},
            mustSurvive: ['"theme": "dark"'],
          })}\n`,
        },
        {
          path: `${fixture}/home/.example/mcp.json`,
          create: `{\n  "theme": "dark",\n  "mcpServers": {\n    "local": { "command": "uvx", "args": ["some-mcp"], "env": { "KEY": "${variable}" } }\n  }\n}\n`,
        },
        { path: `${fixture}/locations.txt`, isGenerated: true },
        {
          path: 'packages/server-kit/test/clients/add-server.test.ts',
          after: "  kiro: ['.kiro/settings/mcp.json', '.kiro/settings/mcp.json', plain],\n",
          insert: "  example: ['.example/mcp.json', '.example/mcp.json', plain],\n",
        },
      ],
    },
    {
      text: 'Add the client to [Connect a client](docs/connect-a-client.md).',
      places: [
        {
          path: 'docs/connect-a-client.md',
          after: '`opencode`, `devin`, `cline`, `kiro`',
          insert: ', `example`',
        },
      ],
    },
  ],
  updates: ['packages/server-kit/test/clients/contract.test.ts'],
  tests: ['packages/server-kit/test/clients', 'packages/import/test', 'test/layers.test.ts'],
}
