import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const corpusFolder = fileURLToPath(new URL('../.corpus', import.meta.url))

const groupsIn = (list) => JSON.parse(readFileSync(new URL(list, import.meta.url), 'utf8'))

/**
 * Every page of the corpus: its generator, where it lies, and what of it a reader would call the
 * content, as CSS selectors written by looking at the page.
 */
export function corpusPages(list = 'pages.json') {
  return groupsIn(list).flatMap(({ root, pages, large, ...group }) =>
    Object.entries({ ...pages, ...large }).map(([page, checksum]) => ({
      ...group,
      page,
      path: `${root}/${page}`,
      file: `${corpusFolder}/${root}/${page}`,
      checksum,
      isLarge: large !== undefined && page in large,
    })),
  )
}

/** The pages that were fetched, without the large ones; all, or an error that says how to get them. */
export const fetchedPages = () => fetched(({ isLarge }) => !isLarge)

/** Indexes, landing pages and catalogues; `half` says whether rules were chosen on them. */
export const listPages = () => fetched(() => true, 'list-pages.json')

/** Pages of megabytes, for what time and memory they take. */
export const largePages = () => fetched(({ isLarge }) => isLarge)

function fetched(isWanted, list) {
  const pages = corpusPages(list).filter(isWanted)
  const missing = pages.filter((page) => !existsSync(page.file))
  if (missing.length === 0) return pages
  throw new Error(`${missing.length} of ${pages.length} pages are not here: pnpm bench corpus`)
}

export const isUnchanged = ({ file, checksum }) =>
  createHash('sha256').update(readFileSync(file)).digest('hex').startsWith(checksum)
