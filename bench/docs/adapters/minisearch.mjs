import { readFileSync, writeFileSync } from 'node:fs'
import MiniSearch from 'minisearch'
import { sectionsIn } from '../read-sections.mjs'
import { stopWords } from '../stop-words.mjs'

// Settings chosen among twenty on other queries than those it is measured with.
const stop = new Set(stopWords)
const options = {
  fields: ['title', 'page', 'path', 'text'],
  storeFields: ['url', 'section', 'title'],
  processTerm: (term) => {
    const lower = term.toLowerCase()
    return stop.has(lower) ? null : lower
  },
  searchOptions: { boost: { title: 4, text: 2, page: 2 } },
}
const loosely = {
  fuzzy: (term) => (term.length > 4 ? 0.2 : false),
  weights: { fuzzy: 0.3, prefix: 0.1 },
}

export const name = 'MiniSearch'

export async function build(sectionsFile, folder) {
  const index = new MiniSearch(options)
  let id = 0
  for await (const { url, pageTitle, id: section, title, path, text } of sectionsIn(sectionsFile))
    index.add({ id: id++, url, section, title, page: pageTitle, path: path.join(' '), text })
  writeFileSync(`${folder}/index.json`, JSON.stringify(index))
}

export function start(folder) {
  const index = MiniSearch.loadJSON(readFileSync(`${folder}/index.json`, 'utf8'), options)
  return (query, k) => {
    const withAllWords = index.search(query, { combineWith: 'AND' })
    const results = withAllWords.length > 0 ? withAllWords : index.search(query, loosely)
    return results.slice(0, k).map(({ url, section, title }) => ({ url, id: section, title }))
  }
}
