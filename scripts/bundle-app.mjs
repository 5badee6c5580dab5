// Bundle a server with its dependencies: it starts in two thirds of the time of its separate modules,
// and `npx` fetches one archive instead of a hundred.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { describeBundled } from './describe-bundled.mjs'

/**
 * Bundle `src/main.ts` of the app in the current folder into `dist/`.
 *
 * All files are directly in `dist/`, so a module can refer to a file in its own folder or, from the
 * top of its `src/`, to a file in the parent folder.
 *
 * @param threads Paths of modules that tinypool runs in worker threads; each becomes a file of its own.
 * @param assets Files to copy, from path to path.
 * @param external Packages that are not bundled: native or optional ones.
 * @param notices A file that names the packages in the assets.
 */
export async function bundleApp({ threads = [], assets = {}, external = [], notices }) {
  rmSync('dist', { recursive: true, force: true })
  const entries = Object.fromEntries(threads.map((path) => [basename(path, '.ts'), resolve(path)]))
  if (threads.length > 0) entries['entry/worker'] = tinypoolWorker(threads[0])
  const bundle = await rolldown({
    input: { main: 'src/main.ts', ...entries },
    platform: 'node',
    external: [/^node:/, ...external],
    resolve: {
      conditionNames: ['@pith-mcp/source', 'node', 'import', 'default'],
      // Prefer ES modules: `require` with a computed name cannot be bundled.
      mainFields: ['module', 'main'],
      // npm start installs no development dependencies but those of `scripts`.
      modules: ['node_modules', join(import.meta.dirname, 'node_modules')],
    },
    // From web-tree-sitter: the evaluated code is in modules that are never loaded.
    checks: { eval: false },
    onLog(level, log, handle) {
      if (level === 'warn') throw new Error(log.message)
      handle(level, log)
    },
  })
  const { output } = await bundle.write({
    dir: 'dist',
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    // Names and line breaks stay, so that stack traces are readable.
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
  })
  await bundle.close()
  for (const [from, to] of Object.entries(assets)) {
    rmSync(to, { recursive: true, force: true })
    cpSync(from, to, { recursive: true })
  }
  const modules = output.flatMap(({ moduleIds = [] }) => moduleIds)
  const { licences, sbom } = describeBundled(modules, notices && readFileSync(notices, 'utf8'))
  writeFileSync('dist/third-party-notices.txt', licences)
  writeFileSync('dist/sbom.cdx.json', `${JSON.stringify(sbom, undefined, 1)}\n`)
}

/** The worker script of tinypool, at the path where tinypool looks for it. */
function tinypoolWorker(thread) {
  const main = createRequire(resolve(thread)).resolve('tinypool')
  return join(dirname(main), 'entry/worker.js')
}
