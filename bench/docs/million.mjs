// An index of about a million sections, and how long searches in it take.
//   node tasks/manuals.mjs && node million.mjs [--sections 1000000] [--queries 500] [--seed 1] [--keep]
// The manuals of tasks/manuals.json have some 90,000 sections. For more, all of them are repeated under
// other URLs with other words: a word is replaced by another of about the same frequency, and one rare
// word in five by one that occurs nowhere else, so that counts and the vocabulary grow as in a larger
// corpus. Queries are 4 to 6 telling words of one section (in at most 5 % of all). A
// significant word is dropped if no full-text query of the search has it. With --keep, an index of the same size is used again.
// The second table is of the questions of tasks/tasks.json, as people ask them and as agents do: processor
// time of the search, of a question that is asked for the first time and of one that was asked before.
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { cleanHtml, cleanMarkdown } from '../../packages/cleaner/dist/index.js'
import { readQuery, termsOf } from '../../packages/scorer/dist/index.js'
import { createRandom, shuffle } from './random.mjs'
import { stopWords } from './stop-words.mjs'
import { manuals, pagesOf, readTasks } from './tasks/manuals.mjs'
import { corpusFolder } from './trees.mjs'

const { values } = parseArgs({
  options: {
    sections: { type: 'string', default: '1000000' },
    queries: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
  },
})
const wanted = Number(values.sections)
const folder = `${corpusFolder}/million/${wanted}`
const random = createRandom(Number(values.seed))
const below = (count) => Math.floor(random() * count)
const maxPageBytes = 3_000_000

const dist = new URL('../../packages/docs/dist/', import.meta.url)
const part = (name) => import(new URL(name, dist))
const { createSqliteIndex } = await part('search-index/sqlite-search-index.js')
const { loadDriver } = await part('base/sqlite-driver.js')
const { indexedPage } = await part('search-index/indexed-page.js')
const { rankIndex } = await part('search/rank-index.js')

/** The full-text queries of the search that runs. */
let asked = []
async function openIndex() {
  const open = await loadDriver()
  const watched = (path, options) => {
    const database = open(path, options)
    return {
      exec: (sql) => database.exec(sql),
      close: () => database.close(),
      prepare(sql) {
        const statement = database.prepare(sql)
        if (!/\bMATCH\b/.test(sql)) return statement
        const note = (args) => asked.push(...args.filter((one) => typeof one === 'string'))
        return {
          run: (...args) => statement.run(...args),
          get(...args) {
            note(args)
            return statement.get(...args)
          },
          all(...args) {
            note(args)
            return statement.all(...args)
          },
        }
      },
    }
  }
  return createSqliteIndex({ open: watched, path: `${folder}/index.sqlite` })
}

function readManuals() {
  const records = []
  let sections = 0
  for (const manual of manuals.values())
    for (const page of pagesOf(manual)) {
      if (sections >= wanted) return records
      const file = `${manual.root}/${page}`
      if (statSync(file).size > maxPageBytes) continue
      const url = `https://example.org/${manual.name}/${page}`
      const clean = page.endsWith('.md') ? cleanMarkdown : cleanHtml
      try {
        const record = indexedPage(clean(readFileSync(file, 'utf8'), { url }), url, '')
        sections += record.sections.length
        records.push(record)
      } catch (error) {
        console.error(`${url}: ${error.message.split('\n')[0]}`)
      }
    }
  return records
}

const word = /\p{L}[\p{L}\p{N}]{3,}/gu

/** Milliseconds of processor time. */
async function processorTime(work) {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The words of the manuals with the number of their sections, the most common first. */
function countWords(records) {
  const counts = new Map()
  for (const { sections } of records)
    for (const { text } of sections)
      for (const one of new Set(text.match(word) ?? [])) counts.set(one, (counts.get(one) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])
}

/** A text with other words of about the same frequency; words of every page stay. */
function varied(counts, nth) {
  const common = counts.filter(([, count]) => count > counts[0][1] / 50).length
  const swaps = new Map()
  for (let from = common; from < counts.length; ) {
    const to = Math.min(counts.length, from + Math.max(20, Math.floor(from / 10)))
    const band = counts.slice(from, to)
    const others = shuffle(band, random)
    for (const [at, [one, count]] of band.entries()) {
      const isNew = count < 20 && random() < 0.2
      swaps.set(
        one,
        isNew ? `${one}${nth.toString(26).replace(/\d/g, (d) => 'ghkmpqrvwz'[d])}x` : others[at][0],
      )
    }
    from = to
  }
  return (text) => text.replace(word, (one) => swaps.get(one) ?? one)
}

async function build() {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const records = readManuals()
  const counts = countWords(records)
  const index = await openIndex()
  const sample = []
  let all = 0
  let seconds = 0
  for (let nth = 0; all < wanted; nth++) {
    const change = nth === 0 ? (text) => text : varied(counts, nth)
    for (let at = 0; at < records.length && all < wanted; at += 32) {
      const pages = records.slice(at, at + 32).map((record) => ({
        ...record,
        url: nth === 0 ? record.url : record.url.replace('example.org', `example.org/${nth}`),
        title: change(record.title),
        sections: record.sections.map((section) => ({
          ...section,
          title: change(section.title),
          heading: change(section.heading),
          path: section.path.map(change),
          text: change(section.text),
        })),
      }))
      seconds += (await processorTime(() => index.put(pages))) / 1000
      for (const { url, sections } of pages) {
        all += sections.length
        for (const { id, text } of sections)
          if (text.length > 300 && random() < 20_000 / wanted) sample.push({ url, id, text })
      }
    }
    console.error(`${all} sections`)
  }
  seconds += (await processorTime(() => index.tidy())) / 1000
  index.close()
  writeFileSync(`${folder}/sample.json`, JSON.stringify(sample))
  return seconds
}

/** 4 to 6 words of a section that at most 5 % of the sections have. */
async function makeQueries(index, sections) {
  const sample = shuffle(JSON.parse(readFileSync(`${folder}/sample.json`, 'utf8')), random)
  const queries = []
  for (const { url, id, text } of sample) {
    if (queries.length === Number(values.queries)) break
    const words = shuffle([...new Set(text.toLowerCase().match(/\p{L}{4,}/gu) ?? [])], random)
    const terms = words.map((one) => termsOf(one)[0] ?? '')
    const counts = await index.itemsWith(terms)
    const telling = words.filter(
      (one, at) => counts[at] >= 3 && counts[at] <= sections / 20 && !stopWords.includes(one),
    )
    const count = 4 + below(3)
    if (telling.length >= count) queries.push({ url, id, query: telling.slice(0, count).join(' ') })
  }
  return queries
}

/** The query's significant words in the full-text queries, and all of them. */
function tookPart(query) {
  const terms = readQuery(query).terms.filter(({ weight }) => weight === 1)
  const words = new Set(
    asked.flatMap((one) => [...one.matchAll(/"((?:[^"]|"")*)"/g)].map(([, term]) => term)),
  )
  return { part: terms.filter(({ term }) => words.has(term)).length, all: terms.length }
}

if (!values.keep || !existsSync(`${folder}/sample.json`)) {
  const began = performance.now()
  const seconds = await build()
  console.log(
    `Built in ${((performance.now() - began) / 1000).toFixed(0)} s, ${seconds.toFixed(1)} s of processor time in the index`,
  )
}
const index = await openIndex()
const { sections, pages } = await index.totals()
const queries = await makeQueries(index, sections)
writeFileSync(`${folder}/queries.json`, JSON.stringify(queries))
const results = []
const warmUp = queries.slice(0, 30)
for (const [at, { url, id, query }] of [...warmUp, ...queries].entries()) {
  asked = []
  const began = performance.now()
  const { hits } = await rankIndex([{ name: '', index }], query, { maxResults: 5 })
  const ms = performance.now() - began
  const isFound = hits.some(({ item }) => item.url === url && item.id === id)
  // The first ones run once before, so that they are compiled.
  if (at >= warmUp.length) results.push({ ms, isFound, ...tookPart(query) })
}

const ask = (query) =>
  processorTime(() => rankIndex([{ name: '', index }], query, { maxResults: 5 }))
const tasks = [...readTasks(), ...readTasks({ set: 'last' })]
const people = []
for (const key of ['question', 'query'])
  for (const pass of ['first', 'again']) {
    const times = []
    for (const task of tasks) times.push(await ask(task[key]))
    people.push({ key, pass, times })
  }
index.close()

const percentile = (times, share) =>
  times
    .toSorted((a, b) => a - b)
    [Math.min(times.length - 1, Math.floor(share * times.length))].toFixed(1)
const p = (share) =>
  percentile(
    results.map(({ ms }) => ms),
    share,
  )
const bytes = statSync(`${folder}/index.sqlite`).size
const mean = (key) => results.reduce((sum, one) => sum + Number(one[key]), 0) / results.length
console.log(
  '| sections | pages | GB on disk | kB a section | queries | p50 ms | p95 ms | p99 ms | words | took part | with a word dropped % | section@5 |\n|---|---|---|---|---|---|---|---|---|---|---|---|',
)
console.log(
  `| ${[
    sections,
    pages,
    (bytes / 1e9).toFixed(2),
    (bytes / 1e3 / sections).toFixed(2),
    results.length,
    p(0.5),
    p(0.95),
    p(0.99),
    mean('all').toFixed(2),
    mean('part').toFixed(2),
    ((100 * results.filter(({ part, all }) => part < all).length) / results.length).toFixed(1),
    (100 * mean('isFound')).toFixed(1),
  ].join(' | ')} |`,
)
console.log('\n| asked by | pass | questions | p50 CPU ms | p95 CPU ms |\n|---|---|---|---|---|')
for (const { key, pass, times } of people) {
  const cells = [key === 'query' ? 'agents' : 'people', pass, times.length]
  console.log(`| ${[...cells, percentile(times, 0.5), percentile(times, 0.95)].join(' | ')} |`)
}
