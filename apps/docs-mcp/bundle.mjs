import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { bundleApp } from '../../scripts/bundle-app.mjs'

const code = '../../packages/code'
/** Those in which installed libraries declare what they export. */
const grammars = ['typescript', 'python']

// `npm start` bundles this app without building any package.
if (!existsSync(`${code}/grammars/NOTICES.txt`))
  execFileSync(process.execPath, ['gather-grammars.mjs'], { cwd: code, stdio: 'inherit' })

await bundleApp({
  threads: [
    '../../packages/docs/src/page/clean-worker.ts',
    '../../packages/docs/src/indexer/pack-worker.ts',
    `${code}/src/parse/parse-worker.ts`,
  ],
  assets: {
    ...Object.fromEntries(
      grammars.map((name) => [`${code}/grammars/${name}.wasm`, `grammars/${name}.wasm`]),
    ),
    [`${code}/node_modules/web-tree-sitter/web-tree-sitter.wasm`]: 'dist/web-tree-sitter.wasm',
  },
  notices: `${code}/grammars/NOTICES.txt`,
  external: ['@photostructure/sqlite', 'pg'],
})
