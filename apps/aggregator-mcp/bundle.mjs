import { bundleApp } from '../../scripts/bundle-app.mjs'

const pages = '../../packages/console/dist/web'

await bundleApp({
  assets: { [pages]: 'dist/web' },
  notices: `${pages}/third-party-notices.txt`,
  external: ['@napi-rs/keyring', '@pith-mcp/telemetry'],
})
