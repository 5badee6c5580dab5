// Names that manuals define, in headings and terms of lists, as written and in lower and upper case:
// is a page that defines the name among the first five, and is none said to be missing?
//   node tasks/manuals.mjs && node search-names.mjs [--count 2000] [--seed 1] [--each]
import { readFileSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { connect } from './client.mjs'
import { createRandom, shuffle } from './random.mjs'
import { manuals, pagesOf } from './tasks/manuals.mjs'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    each: { type: 'boolean', default: false },
  },
})
/** Longer pages hold the others once more, and indexes only point. */
const maxPageBytes = 1_000_000
const isIndex =
  /index|contents|toc|search|all\.html|globals|hierarchy|members|change|release|migrat|whatsnew|new_feat/i
/** More pages than this do not define a name. */
const maxDefining = 3

const entities = { lt: '<', gt: '>', amp: '&', quot: '"', nbsp: ' ' }
const plain = (html) =>
  html
    .replace(/<br[^>]{0,200}>/g, ' ')
    .replace(/<[^>]{0,2000}>/g, '')
    .replace(/&(\w+|#\d+);/g, (whole, name) => entities[name] ?? whole)
    .trim()

/** A class, function, option or field: the first word, if it is no plain word. */
function nameIn(title) {
  const [, name = '', call = ''] =
    /^(?:class |function )?(--?[A-Za-z][\w-]+|[A-Za-z_][\w.:-]*\w)(\()?/.exec(title) ?? []
  const isName = call !== '' || /^-|[_\d]|\w[.:-]+\w|[a-z][A-Z]/.test(name)
  return isName && name.length > 3 && name.length < 60 ? name : undefined
}

function namesOf(manual) {
  const pages = new Map()
  for (const page of pagesOf(manual)) {
    const file = `${manual.root}/${page}`
    if (isIndex.test(page) || !page.endsWith('.html') || statSync(file).size > maxPageBytes)
      continue
    for (const [, , title] of readFileSync(file, 'utf8').matchAll(
      /<(dt|h[1-6])\b[^>]{0,2000}>(.{1,2000}?)<\/\1>/gs,
    )) {
      const name = nameIn(plain(title))
      // The page of a qualified name also defines its last part.
      for (const one of name ? new Set([name, nameIn(name.split(/[.:]+/).at(-1)) ?? name]) : [])
        pages.set(one, (pages.get(one) ?? new Set()).add(page))
    }
  }
  return [...pages].filter(([name, defining]) => name.length > 3 && defining.size <= maxDefining)
}

const cases = {
  'as written': (name) => name,
  lower: (name) => name.toLowerCase(),
  UPPER: (name) => name.toUpperCase(),
}
const chosen = [...manuals.values()].map((manual) => ({ manual, names: namesOf(manual) }))
const perManual = Math.ceil(
  Number(values.count) / chosen.filter(({ names }) => names.length > 0).length,
)
const random = createRandom(Number(values.seed))
const tally = Object.fromEntries(
  Object.keys(cases).map((one) => [one, { all: 0, found: 0, first: 0, denied: 0 }]),
)
for (const { manual, names } of chosen) {
  const asked = shuffle(names, random).slice(0, 2 * perManual)
  if (asked.length === 0) continue
  const server = await connect([manual.root])
  while (/still indexing/.test((await server.call('search_docs', { query: asked[0][0] })).text));
  for (const [name, pages] of asked)
    for (const [letterCase, write] of Object.entries(cases)) {
      const own = tally[letterCase]
      const { text, data } = await server.call('search_docs', { query: write(name) })
      const hits = data.results.map(({ url }) => url.split('#')[0])
      const isRight = (hit) => [...pages].some((page) => hit.endsWith(`/${page}`) || hit === page)
      const isFound = hits.slice(0, 5).some(isRight)
      own.all++
      own.found += isFound
      own.first += hits.slice(0, 1).some(isRight)
      own.denied += /no page contains/i.test(text)
      if (values.each && (!isFound || /no page contains/i.test(text)))
        console.log(
          `${manual.name}: ${write(name)} → ${[...pages]}\n    ${hits.join(' ')} ${/no page contains[^\n]*/i.exec(text) ?? ''}`,
        )
    }
  await server.close()
}
console.log('| case | names | page@1 % | page@5 % | said to be missing |\n|---|---|---|---|---|')
for (const [letterCase, { all, found, first, denied }] of Object.entries(tally))
  console.log(
    `| ${letterCase} | ${all} | ${((100 * first) / all).toFixed(1)} | ${((100 * found) / all).toFixed(1)} | ${denied} |`,
  )
