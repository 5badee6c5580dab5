import { readFileSync } from 'node:fs'

const manifest: unknown = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
)

/** How the aggregator names itself to servers and clients; the version is that of the package. */
export const identity: { name: string; title: string; version: string } = {
  name: 'aggregator-mcp',
  title: 'Pith aggregator',
  version: (manifest as { version: string }).version,
}
