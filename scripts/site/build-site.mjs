import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { siteUrl } from './addresses.mjs'
import { bundleScripts } from './bundle-scripts.mjs'
import { findPages } from './find-pages.mjs'
import { layout } from './layout.mjs'
import { renderPage } from './render-page.mjs'
import { createLinkResolver } from './resolve-links.mjs'
import { listsOf } from './write-lists.mjs'

/** Cascade order: general styles first. */
const styles = ['theme', 'article', 'frame', 'search', 'tabs', 'sizes'].map(
  (name) => `styles/${name}.css`,
)
const browserFolder = fileURLToPath(new URL('browser/', import.meta.url))

/**
 * Render the manual as a website into a folder, which is emptied first. Errors of the manual are
 * returned as `problems`; the site is written anyway.
 *
 * @param {{ root?: string, to: string, baseUrl?: string }} options `baseUrl` is the URL of the published site.
 */
export async function buildSite({ root = '.', to, baseUrl = siteUrl }) {
  const base = new URL(baseUrl.replace(/\/*$/, '/'))
  const { groups: found, pages: sources, problems } = findPages(root)
  const resolveLink = createLinkResolver(root, sources)
  const pages = sources.map((page) =>
    renderPage(page, readFileSync(join(root, page.source), 'utf8'), resolveLink),
  )
  const byPath = new Map(pages.map((page) => [page.path, page]))
  const groups = found.map((group) => ({
    ...group,
    pages: group.pages.map(({ path }) => byPath.get(path)),
  }))

  const version = readVersion(root)
  rmSync(to, { recursive: true, force: true })
  await bundleScripts(to)
  for (const [at, page] of pages.entries()) {
    const toRoot = '../'.repeat(page.path.split('/').length - 1)
    const neighbours = [pages[at - 1], pages[at + 1]]
    const url = new URL(`${page.path}.html`, base).href
    const moved = readMoved(root)
      .filter(([from]) => from.startsWith(`${page.path}#`))
      .map(([from, target]) => {
        const [path, id] = target.split('#')
        const { title } = byPath.get(path)
        return { id: from.slice(page.path.length + 1), path, hash: id ? `#${id}` : '', title }
      })
    write(`${page.path}.html`, layout(page, { groups, neighbours, moved, version, toRoot, url }))
    write(`${page.path}.md`, page.markdown)
    for (const [path, file] of page.files) copy(join(root, file), path)
  }
  write('404.html', layout(missing, { groups, version, toRoot: base.pathname, url: '' }))
  for (const [path, text] of Object.entries(listsOf({ groups, pages, baseUrl: base })))
    write(path, text)
  copy(join(browserFolder, 'icon.svg'), 'icon.svg')
  copyFileSync(new URL('browser/theme.mjs', import.meta.url), join(to, 'theme.js'))
  write(
    'site.css',
    styles.map((name) => readFileSync(join(browserFolder, name), 'utf8')).join('\n'),
  )
  return { pages, problems: [...problems, ...pages.flatMap((page) => page.problems)] }

  function write(path, text) {
    mkdirSync(join(to, posix.dirname(path)), { recursive: true })
    writeFileSync(join(to, path), text)
  }
  function copy(file, path) {
    mkdirSync(dirname(join(to, path)), { recursive: true })
    copyFileSync(file, join(to, path))
  }
}

/** Former anchors of the pages, `path#id`, and where they lead, from `docs/moved.json`. */
const readMoved = (root) => {
  const file = join(root, 'docs/moved.json')
  return existsSync(file) ? Object.entries(JSON.parse(readFileSync(file, 'utf8'))) : []
}

/** The servers have one version, which is 0.0.0 until the first release. */
function readVersion(root) {
  const file = join(root, 'apps/docs-mcp/package.json')
  const { version } = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { version: '0.0.0' }
  return version === '0.0.0' ? 'unreleased' : `v${version}`
}

/** Served for every unknown URL, at any depth. */
const missing = {
  path: '404',
  title: 'Page not found',
  description: 'This page does not exist.',
  sections: [],
  body: '<h1>Page not found</h1>\n<p>This page does not exist. The menu lists all pages.</p>',
}
