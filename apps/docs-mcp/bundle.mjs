import { bundleApp } from '../../scripts/bundle-app.mjs'
import { gatherGrammars } from '../../scripts/grammars/gather.mjs'

const code = '../../packages/code'

// Those in which installed libraries declare what they export.
gatherGrammars(['typescript', 'python'], 'grammars')

await bundleApp({
  threads: [
    '../../packages/docs/src/page/clean-worker.ts',
    '../../packages/docs/src/indexer/pack-worker.ts',
    `${code}/src/parse/parse-worker.ts`,
  ],
  assets: {
    [`${code}/node_modules/web-tree-sitter/web-tree-sitter.wasm`]: 'dist/web-tree-sitter.wasm',
  },
  notices: 'grammars/NOTICES.txt',
  external: ['@asciidoctor/core', '@photostructure/sqlite', /^pdfjs-dist\//, 'pg'],
})
