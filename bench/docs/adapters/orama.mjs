import { readFileSync, writeFileSync } from 'node:fs'
import { create, insert, load, save, search } from '@orama/orama'
import { sectionsIn } from '../read-sections.mjs'
import { stopWords } from '../stop-words.mjs'

// Settings chosen among a dozen on other queries than those it is measured with. Allowing for typos
// (`tolerance`) takes it seven seconds a query.
const empty = () =>
  create({
    schema: { title: 'string', page: 'string', path: 'string', text: 'string' },
    components: { tokenizer: { stemming: true, stopWords } },
  })

export const name = 'Orama'

export async function build(sectionsFile, folder) {
  const index = empty()
  for await (const { url, pageTitle, id: section, title, path, text } of sectionsIn(sectionsFile))
    await insert(index, { url, section, title, page: pageTitle, path: path.join(' '), text })
  writeFileSync(`${folder}/index.json`, JSON.stringify(save(index)))
}

export function start(folder) {
  const index = empty()
  load(index, JSON.parse(readFileSync(`${folder}/index.json`, 'utf8')))
  const find = async (query, limit, threshold) => {
    const boost = { title: 4, text: 2, page: 2 }
    const { hits } = await search(index, { term: query, limit, boost, threshold })
    return hits.map(({ document: { url, section, title } }) => ({ url, id: section, title }))
  }
  return async (query, k) => {
    const withAllWords = await find(query, k, 0)
    return withAllWords.length > 0 ? withAllWords : find(query, k, 1)
  }
}
