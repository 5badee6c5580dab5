import type { Entry, PublishedIndexReader, Site } from './published-index-reader.ts'

const maxCrates = 50
const maxTried = 12
/** A page of a crate states where its root is. */
const hasRoot = /rustdoc-vars|window\.rootPath/

/** `all.html` of each crate: its items, whatever the version of the index. */
export const rustdoc: PublishedIndexReader = {
  generator: 'rustdoc',
  mark: /content="rustdoc"|name="rustdoc-vars"|id="rustdoc-vars"|window\.rootPath/,
  async read(start) {
    const { url, html, text, page } = await ofCrate(start)
    const option = (name: string) => new RegExp(`data-${name}="([^"]{0,500})"`).exec(html)?.[1]
    const rootPath = option('root-path') ?? /window\.rootPath\s*=\s*"([^"]{0,500})"/.exec(html)?.[1]
    const root = new URL(rootPath || './', url).href
    const list = (await text(`${root}crates${option('resource-suffix') ?? ''}.js`)) ?? ''
    const crate = option('current-crate') ?? url.slice(root.length).split('/')[0] ?? ''
    const crateNames = [...list.matchAll(/"(\w{1,100})"/g)].map(([, name = '']) => name)
    // A source below one crate lists that crate only.
    const isOfCrate = start.url.startsWith(`${root}${crate}/`)
    const crates = [...new Set([crate, ...(isOfCrate ? [] : crateNames)])].slice(0, maxCrates)
    const lists = await Promise.all(
      crates.map(async (name) =>
        itemsOf(name, root, (await page(`${root}${name}/all.html`)) ?? ''),
      ),
    )
    return lists.flat()
  },
}

function itemsOf(crate: string, root: string, html: string): Entry[] {
  const items = [...html.matchAll(/<a href="([^":#]{1,500}\.html)">([^<]{1,500})<\/a>/g)]
  return items.map(([, place = '', path = '']) => [
    new URL(place, `${root}${crate}/`).href,
    path.split('::').at(-1) ?? path,
    `${crate}::${path}`,
  ])
}

/** The front page of several crates links to their pages. */
async function ofCrate(site: Site): Promise<Site> {
  const link = /href="((?:[\w-]{1,100}\/){1,2}index\.html)"/g
  const links = hasRoot.test(site.html) ? [] : [...site.html.matchAll(link)]
  for (const [, place = ''] of links.slice(0, maxTried)) {
    const url = new URL(place, site.url).href
    const html = (await site.page(url)) ?? ''
    if (hasRoot.test(html)) return { ...site, url, html }
  }
  return site
}
