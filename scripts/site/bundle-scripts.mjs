import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** The scripts of the site: `site.js` for every page, `search/search.js` on the first search. */
export async function bundleScripts(to) {
  const bundle = await rolldown({
    input: fileURLToPath(new URL('browser/site.mjs', import.meta.url)),
    platform: 'browser',
    resolve: { conditionNames: ['@pith-mcp/source', 'import', 'default'] },
  })
  await bundle.write({
    dir: to,
    minify: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'search/[name].js',
  })
  await bundle.close()
}
