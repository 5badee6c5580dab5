// Other ways to get an answer out of the same manual: a search over the same sections with MiniSearch
// and with FTS5, an agent with grep, and reading the right page, which is told.
import { readFileSync } from 'node:fs'
import MiniSearch from 'minisearch'
import { loadDriver } from '../../../packages/docs/dist/base/sqlite-driver.js'
import { readers } from '../readers.mjs'
import { stopWords } from '../stop-words.mjs'
import { hasAnswer, plain } from './answers.mjs'
import { pagesOf } from './manuals.mjs'

const stop = new Set(stopWords)
const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
const tellingOf = (text) => {
  const telling = wordsOf(text).filter((word) => !stop.has(word))
  return telling.length > 0 ? telling : wordsOf(text)
}

/** Sections as records, with what their page is called. */
const flat = (records) =>
  records.flatMap(({ url, title: page, sections }) =>
    sections.map((section) => ({ ...section, key: `${url}#${section.id}`, page })),
  )

/** MiniSearch with the settings of adapters/minisearch.mjs. */
export function miniSearch(records) {
  const index = new MiniSearch({
    fields: ['title', 'page', 'path', 'text'],
    processTerm: (term) => (stop.has(term.toLowerCase()) ? null : term.toLowerCase()),
    searchOptions: { boost: { title: 4, text: 2, page: 2 } },
  })
  const sections = flat(records)
  index.addAll(sections.map((one, id) => ({ ...one, id, path: one.path.join(' ') })))
  const loosely = {
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    weights: { fuzzy: 0.3, prefix: 0.1 },
  }
  return (query) => {
    const all = index.search(query, { combineWith: 'AND' })
    const found = all.length > 0 ? all : index.search(query, loosely)
    return found.map(({ id }) => sections[id])
  }
}

/** FTS5 with Porter's stemmer; all words first, then any. */
export async function fts5(records) {
  const open = await loadDriver()
  const database = open(':memory:')
  database.exec(
    "CREATE VIRTUAL TABLE t USING fts5 (title, page, text, tokenize = 'porter unicode61')",
  )
  const sections = flat(records)
  const insert = database.prepare('INSERT INTO t (rowid, title, page, text) VALUES (?, ?, ?, ?)')
  database.exec('BEGIN')
  for (const [id, { title, page, path, text }] of sections.entries())
    insert.run(id + 1, title, [page, ...path].join(' '), text)
  database.exec('COMMIT')
  const find = database.prepare(
    'SELECT rowid FROM t WHERE t MATCH ? ORDER BY bm25(t, 10, 5, 1) LIMIT 40',
  )
  return (query) => {
    const quoted = tellingOf(query).map((word) => `"${word}"`)
    const rows = [...find.all(quoted.join(' ')), ...find.all(quoted.join(' OR '))]
    return [...new Set(rows.map(({ rowid }) => sections[Number(rowid) - 1]))]
  }
}

const maxCalls = 6
const excerptLength = 200
const pageLength = 5_000

/** The text around the first of the query's words. */
function snippet(text, query) {
  const line = text.replace(/\s+/g, ' ')
  const lower = line.toLowerCase()
  const places = tellingOf(query)
    .map((word) => lower.indexOf(word))
    .filter((at) => at >= 0)
  const start = Math.max(0, Math.min(...places, line.length) - 40)
  return line.slice(start, start + excerptLength)
}

/** A search that shows five pages, then the sections of the first three, 5,000 characters each. */
export function searchFlow(search, task) {
  const pages = new Map()
  for (const hit of search(task.query)) {
    const page = hit.key.split('#')[0]
    if (!pages.has(page)) pages.set(page, hit)
  }
  const hits = [...pages.values()].slice(0, 5)
  const replies = [
    hits
      .map(
        ({ title, page, key, text }) =>
          `**${page} › ${title}**\n${key}\n${snippet(text, task.query)}`,
      )
      .join('\n\n'),
  ]
  for (const { title, text } of hits.slice(0, 3)) {
    if (hasAnswer(replies.at(-1), task) || replies.length >= maxCalls) break
    replies.push(`## ${title}\n\n${text.slice(0, pageLength)}`)
  }
  return { replies, hits: hits.map(({ key }) => key) }
}

/** Files with the rarest word, then the lines around the words in the four best of them. */
export function grepFlow(manual, task) {
  const files = pagesOf(manual).map((page) => {
    const text = readFileSync(`${manual.root}/${page}`, 'utf8')
    return { page, text, lower: text.toLowerCase() }
  })
  const words = [...new Set(tellingOf(task.query))]
  const counted = words
    .map((word) => ({ word, files: files.filter(({ lower }) => lower.includes(word)) }))
    .filter(({ files: having }) => having.length > 0)
    .sort((a, b) => a.files.length - b.files.length)
  const [rarest] = counted
  if (!rarest) return { replies: [''], hits: [] }
  const found = rarest.files
    .map(({ page, text, lower }) => ({
      page,
      text,
      words: words.filter((word) => lower.includes(word)).length,
    }))
    .sort((a, b) => b.words - a.words)
  const replies = [
    found
      .slice(0, 50)
      .map(({ page }) => page)
      .join('\n'),
  ]
  for (const { page, text } of found.slice(0, 4)) {
    if (hasAnswer(replies.at(-1), task)) break
    replies.push(`${page}\n${linesAround(text, rarest.word)}`)
  }
  return { replies, hits: found.slice(0, 5).map(({ page }) => page) }
}

function linesAround(text, word) {
  const lines = text.split('\n')
  const shown = new Set()
  for (const [at, line] of lines.entries())
    if (line.toLowerCase().includes(word))
      for (let near = Math.max(0, at - 6); near <= at + 6; near++) shown.add(near)
  return [...shown]
    .map((at) => lines[at] ?? '')
    .join('\n')
    .slice(0, pageLength)
}

/** The right page, 5,000 characters at a time, at most 20 times. */
export function pageFlow(manual, task) {
  const { page } = task.places[0]
  const text = readFileSync(`${manual.root}/${page}`, 'utf8')
  const parts = page.endsWith('.md')
    ? Array.from({ length: Math.ceil(text.length / pageLength) }, (_, at) => ({
        reply: text.slice(at * pageLength, (at + 1) * pageLength),
      }))
    : readers.fetch(text, `https://example.org/${page}`)
  const replies = []
  for (const { reply } of parts.slice(0, 20)) {
    replies.push(reply)
    if (hasAnswer(replies.slice(-2).map(plain).join(''), task)) break
  }
  return { replies, hits: [page] }
}
