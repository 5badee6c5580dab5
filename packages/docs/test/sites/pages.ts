import { readFileSync } from 'node:fs'

/** Pages that the loopback sites have: about installing, and others. */
export const pages = [
  {
    path: 'guide/install',
    title: 'Install',
    id: 'linux',
    section: 'Linux',
    text: 'Unpack the archive and run the installer as root, then check the version.',
  },
  {
    path: 'guide/upgrade',
    title: 'Upgrade',
    id: 'before',
    section: 'Before you install an upgrade',
    text: 'Save the settings before you install a newer version over an older one.',
  },
  {
    path: 'reference/cli',
    title: 'Command line',
    id: 'install-command',
    section: 'install',
    text: 'The command install fetches a package and all that it needs.',
  },
  {
    path: 'reference/config',
    title: 'Settings',
    id: 'proxy',
    section: 'Proxy',
    text: 'The address of a proxy, for those who install behind one.',
  },
] as const

export type FixturePage = (typeof pages)[number]

export const pageHtml = ({ title, id, section, text }: FixturePage, head = ''): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body><main><h1>${title}</h1>
<p>About ${title.toLowerCase()}.</p><h2 id="${id}">${section}</h2><p>${text}</p></main></body></html>`

/** The page at a path below a folder, with or without its ending. */
export const pageAt = (path: string, folder = '/'): FixturePage | undefined =>
  pages.find((one) => path === folder + one.path || path === `${folder}${one.path}.html`)

/** Links from page to page, so that the site can be read when its search fails. */
export const frontHtml = (head: string, folder = '/', body = ''): string =>
  `<!doctype html><html lang="en"><head><title>Install manual</title>${head}</head><body><main><h1>Manual</h1>
<p>How to install it and work with it.</p><ul>${pages
    .map(({ path, title }) => `<li><a href="${folder}${path}">${title}</a></li>`)
    .join('')}</ul></main>${body}</body></html>`

/** Pages that have a word of the query. */
export function matching(query: string, isEmpty: boolean): FixturePage[] {
  const words = query.toLowerCase().match(/[a-z]{3,}/g) ?? []
  const has = (one: FixturePage) =>
    words.some((word) => JSON.stringify(one).toLowerCase().includes(word))
  return isEmpty ? [] : pages.filter(has)
}

/** A page made to the real structure of its site. */
export const realPage = (name: string): string =>
  readFileSync(
    new URL(`../../../cleaner/test/fixtures/${name}/input.html`, import.meta.url),
    'utf8',
  )
