import { bundleApp } from '../../scripts/bundle-app.mjs'

const library = '../../packages/code'

await bundleApp({
  threads: [
    `${library}/src/parse/parse-worker.ts`,
    `${library}/src/search/search-worker.ts`,
    `${library}/src/symbol-index/index-files.ts`,
  ],
  assets: {
    [`${library}/grammars`]: 'grammars',
    [`${library}/node_modules/web-tree-sitter/web-tree-sitter.wasm`]: 'dist/web-tree-sitter.wasm',
  },
  notices: `${library}/grammars/NOTICES.txt`,
})
