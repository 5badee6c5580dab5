import { bundleApp } from '../../scripts/bundle-app.mjs'

const pages = '../../packages/console/dist/web'

await bundleApp({
  threads: ['../../packages/aggregator/src/call/results/read-part.ts'],
  assets: { [pages]: 'dist/web' },
  notices: `${pages}/third-party-notices.txt`,
  external: ['@napi-rs/keyring', '@pith-mcp/telemetry', 'pg'],
})
