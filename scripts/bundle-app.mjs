// Build a server as one package that needs no other: it starts in two thirds of the time that its
// modules would take, and `npx` fetches one archive instead of a hundred.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { describeBundled } from './describe-bundled.mjs'

/**
 * Bundle `src/main.ts` of the app in the current folder into `dist/`.
 *
 * All files lie in `dist/` itself, so a module may refer to a file beside itself, or, at the top of
 * its `src/`, to one beside that.
 *
 * @param threads Modules that are run in threads by tinypool, as paths; each is a file of its name.
 * @param assets What is copied, from path to path.
 * @param external Packages that are not bundled, since they are native, or installed by choice.
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
      // What has both has it as modules, and what requires by a name of its own cannot be bundled.
      mainFields: ['module', 'main'],
    },
    // Of web-tree-sitter; what it evaluates is in modules that we do not load.
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
    // Names and lines stay: errors are read by people.
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

/** What tinypool starts for each thread, from the place where it looks for it. */
function tinypoolWorker(thread) {
  const main = createRequire(resolve(thread)).resolve('tinypool')
  return join(dirname(main), 'entry/worker.js')
}
