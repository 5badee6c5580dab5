import { bundleApp } from '../../scripts/bundle-app.mjs'

await bundleApp({
  threads: [
    '../../packages/docs/src/page/clean-worker.ts',
    '../../packages/docs/src/indexer/pack-worker.ts',
  ],
  external: ['@asciidoctor/core', '@photostructure/sqlite', 'pg'],
})
