export const consolePage = {
  title: 'Add a page to the console',
  steps: [
    {
      text: 'Add a folder to `packages/console/web/` with the page, and a hook to `api/hooks.ts` for a query of its own. A query that changes need to refresh is in `affected` of `app/signed-in.tsx`.',
      places: [
        {
          path: 'packages/console/web/addresses/addresses-page.tsx',
          create: `import { useConsole } from '../api/use-console.ts'
import { CodeBlock, Page, Panel } from '../ui/page.tsx'

export function AddressesPage() {
  const { session } = useConsole()
  return (
    <Page title="Addresses" intro="Where clients connect.">
      <Panel title="MCP">
        <CodeBlock label="Address">{session.mcpUrl}</CodeBlock>
      </Panel>
    </Page>
  )
}
`,
        },
      ],
    },
    {
      text: 'Add it to the navigation in `app/pages.tsx`, and its room to `scripts/house/rooms.json`.',
      places: [
        {
          path: 'packages/console/web/app/pages.tsx',
          before: 'const Tokens = later(',
          insert:
            "const Addresses = later(\n  async () => (await import('../addresses/addresses-page.tsx')).AddressesPage,\n)\n",
        },
        {
          path: 'packages/console/web/app/pages.tsx',
          before: "      { path: '/tokens', name: 'Access tokens', Content: Tokens },\n",
          insert: "      { path: '/addresses', name: 'Addresses', Content: Addresses },\n",
        },
        {
          path: 'scripts/house/rooms.json',
          before: '    "web/tokens",\n',
          insert: '    "web/addresses",\n',
        },
      ],
    },
    {
      text: 'Describe it in `docs/console.md`, and after `pnpm build` take the pictures with `SCREENSHOTS=1 pnpm vitest run --project browser screenshots`; keep those that show it.',
      places: [
        {
          path: 'docs/console.md',
          before: '**Access tokens** creates',
          insert: '**Addresses** shows where clients connect.\n\n',
        },
      ],
    },
  ],
  projects: ['packages/console/web'],
  tests: ['test/layers.test.ts'],
}
