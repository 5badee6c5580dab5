import { pagesIn } from '../read-sections.mjs'

// What `search_docs` is made of, out of the build: the index on disk, and the ranking over it.
const dist = new URL('../../../packages/docs/dist/', import.meta.url)
const part = (name) => import(new URL(name, dist))
const openIndex = async (folder) => {
  const [{ createSqliteIndex }, { loadDriver }] = await Promise.all([
    part('search-index/sqlite-search-index.js'),
    part('base/sqlite-driver.js'),
  ])
  return createSqliteIndex({ open: await loadDriver(), path: `${folder}/index.sqlite` })
}

export const name = 'Pith'

export async function build(sectionsFile, folder) {
  const index = await openIndex(folder)
  let batch = []
  for await (const page of pagesIn(sectionsFile)) {
    batch.push({ stamp: '', ...page })
    if (batch.length < 32) continue
    await index.put(batch)
    batch = []
  }
  await index.put(batch)
  await index.tidy()
  index.close()
}

export async function start(folder) {
  const { rankIndex } = await part('search/rank-index.js')
  const index = await openIndex(folder)
  return async (query, k) => {
    const { hits } = await rankIndex([{ name: '', index }], query, { maxResults: k })
    return hits.map(({ item }) => ({ url: item.url, id: item.id, title: item.title }))
  }
}
