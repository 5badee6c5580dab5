import { bundleApp } from '../../scripts/bundle-app.mjs'

await bundleApp({
  assets: { '../../packages/console/dist/web': 'dist/web' },
  external: ['@napi-rs/keyring', '@pith-mcp/telemetry'],
})
