// The printed indexes of manuals: is the section to which the index sends a reader the first, or among
// the first five, if its term is searched for? The pages of the index are not searched.
//   node manuals.mjs && node printed.mjs [--only MANUAL,…] [--count 150] [--pith] [--each]
import { parseArgs } from 'node:util'
import { rankIndex } from '../../../packages/docs/dist/search/rank-index.js'
import { recordsOf } from './answers.mjs'
import { indexOf } from './index-of.mjs'
import { manuals, pagesOf } from './manuals.mjs'
import { fts5, miniSearch } from './peers.mjs'
import { placedTerms } from './printed-terms.mjs'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    count: { type: 'string', default: '150' },
    pith: { type: 'boolean', default: false },
    each: { type: 'boolean', default: false },
  },
})
const only = values.only?.split(',')
const shown = 10

/** A manual with a printed index, and what of it is searched. */
async function printedSet(manual, count) {
  const isIndex = new RegExp(manual.printed)
  const printedPages = pagesOf(manual).filter((page) => isIndex.test(page))
  const records = recordsOf(manual).filter(({ url }) => !isIndex.test(url))
  const terms = placedTerms({ ...manual, printedPages }, records, count)
  return { manual, records, terms, index: await indexOf(manual, records, 'printed') }
}

/** Rank of the first right section, from 1; infinite if none is shown. */
function rankOf({ places }, keys) {
  const at = keys.findIndex((key) =>
    places.some((place) => place === key || place === key.split('#')[0]),
  )
  return at < 0 ? Number.POSITIVE_INFINITY : at + 1
}

const keysOf = (hits) => hits.map(({ item }) => `${item.url}#${item.id}`)

/** As docs-mcp shows them: the best section of each page. */
function onePerPage(keys) {
  const pages = new Map()
  for (const key of keys) {
    const [page] = key.split('#')
    if (!pages.has(page)) pages.set(page, key)
  }
  return [...pages.values()].slice(0, shown)
}

const rows = new Map()
for (const manual of manuals.values()) {
  if (manual.printed === undefined || (only && !only.includes(manual.name))) continue
  const { records, terms, index } = await printedSet(manual, Number(values.count))
  const searches = {
    'docs-mcp': async (query) =>
      keysOf((await rankIndex([{ name: '', index }], [query], { maxResults: shown })).hits),
  }
  if (!values.pith) {
    const peers = { 'MiniSearch, tuned': miniSearch(records), FTS5: await fts5(records) }
    for (const [name, search] of Object.entries(peers))
      searches[name] = (query) => onePerPage(search(query).map(({ key }) => key))
  }
  for (const [name, search] of Object.entries(searches)) {
    const ranks = []
    for (const one of terms) {
      const keys = await search(one.term)
      ranks.push(rankOf(one, keys))
      if (values.each && name === 'docs-mcp' && ranks.at(-1) !== 1)
        console.log(
          `${manual.name} “${one.term}” ${ranks.at(-1)}\n  ${one.places.join(' ')}\n  ${keys.slice(0, 3).join(' ')}`,
        )
    }
    rows.set(name, [...(rows.get(name) ?? []), { manual: manual.name, ranks }])
  }
}

const mean = (all) => all.reduce((sum, one) => sum + one, 0) / (all.length || 1)
const figures = (ranks) =>
  [
    mean(ranks.map((rank) => Number(rank === 1))),
    mean(ranks.map((rank) => Number(rank <= 5))),
    mean(ranks.map((rank) => (rank <= shown ? 1 / Math.log2(1 + rank) : 0))),
  ].map((value) => 100 * value)
const print = (cells) => console.log(`| ${cells.join(' | ')} |`)
const text = (all) => all.map((value) => value.toFixed(1)).join(' / ')
const [own = []] = rows.values()
print([
  'site@1 / @5 / nDCG@10',
  ...own.map(({ manual, ranks }) => `${manual} (${ranks.length})`),
  'mean',
])
console.log(`|${'---|'.repeat(own.length + 2)}`)
for (const [name, ofName] of rows) {
  const all = ofName.map(({ ranks }) => figures(ranks))
  print([name, ...all.map(text), text(all[0].map((_, at) => mean(all.map((one) => one[at]))))])
}
process.exit()
