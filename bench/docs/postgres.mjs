// The index in PostgreSQL beside that in SQLite, with the same sections and queries: what is found, and
// how long searches take. Both are asked each query in turn.
//   node index.mjs pith && node postgres.mjs            the 140,000 sections and queries of index.mjs
//   node million.mjs && node postgres.mjs --million     those of million.mjs
//   [--url postgresql://…]      default: a throw-away PostgreSQL of this machine
//   [--queries 1200] [--keep]   --keep: use what an earlier run has copied to the URL
// Sections are copied from the index in SQLite that the first command has built.
import { existsSync, readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { migrate, openDatabase } from '../../packages/server-kit/dist/database/index.js'
import { startPostgres } from './throw-away-postgres.mjs'
import { corpusFolder, manualsFolder } from './trees.mjs'

const { values } = parseArgs({
  options: {
    million: { type: 'boolean', default: false },
    sections: { type: 'string', default: '1000000' },
    url: { type: 'string' },
    queries: { type: 'string', default: '1200' },
    keep: { type: 'boolean', default: false },
  },
})
const millionFolder = `${corpusFolder}/million/${values.sections}`
const [path, queriesFile] = values.million
  ? [`${millionFolder}/index.sqlite`, `${millionFolder}/queries.json`]
  : [`${manualsFolder}/index/pith/index.sqlite`, `${manualsFolder}/queries-1.json`]
for (const file of [path, queriesFile])
  if (!existsSync(file)) throw new Error(`${file} is not here; see the top of this file`)

const dist = new URL('../../packages/docs/dist/', import.meta.url)
const part = (name) => import(new URL(name, dist))
const { createSqliteIndex } = await part('search-index/sqlite-search-index.js')
const { createPostgresIndex } = await part('search-index/postgres-search-index.js')
const { migrationSteps } = await part('postgres/migrations.js')
const { loadDriver } = await part('base/sqlite-driver.js')
const { rankIndex } = await part('search/rank-index.js')
const open = await loadDriver()

const engine = values.url ? undefined : await startPostgres()
const database = await openDatabase(values.url ?? engine.url, { name: 'bench' })

/** All pages of an index in SQLite, in the order in which they were put. */
function* pagesOf(file) {
  const source = open(file, { readOnly: true })
  const sections = source.prepare(
    'SELECT anchor, title, heading, path, text FROM section WHERE page = ? ORDER BY id',
  )
  for (const { id, language, headings, ...page } of source
    .prepare('SELECT id, url, title, language, stamp, headings FROM page ORDER BY id')
    .all())
    yield {
      ...page,
      ...(language && { language }),
      headings: JSON.parse(headings),
      sections: sections
        .all(id)
        .map(({ anchor, ...one }) => ({ ...one, id: anchor, path: JSON.parse(one.path) })),
    }
  source.close()
}

async function fill(index) {
  let batch = []
  let count = 0
  for (const page of pagesOf(path)) {
    batch.push(page)
    if (batch.length < 32) continue
    await index.put(batch)
    batch = []
    if (++count % 100 === 0) console.error(`${32 * count} pages`)
  }
  await index.put(batch)
  await index.tidy()
}

await migrate(database, 'docs-mcp', migrationSteps)
const inPostgres = await createPostgresIndex(database, path)
const began = performance.now()
if (!values.keep) await fill(inPostgres)
const seconds = (performance.now() - began) / 1000
const [{ bytes }] = await database.query('SELECT pg_database_size(current_database()) AS bytes')
const inSqlite = await createSqliteIndex({ open, path })

const indexes = { SQLite: inSqlite, PostgreSQL: inPostgres }
const figures = Object.fromEntries(Object.keys(indexes).map((name) => [name, []]))
const isAnswer = (query) => (hit) =>
  hit.item.url === query.url && (hit.item.id === query.id || hit.item.title === query.title)
const queries = JSON.parse(readFileSync(queriesFile, 'utf8')).slice(0, Number(values.queries))
let same = 0
for (const [at, query] of [...queries.slice(-30), ...queries].entries()) {
  const found = []
  for (const [name, index] of Object.entries(indexes)) {
    const start = performance.now()
    const { hits } = await rankIndex([{ name: '', index }], query.query, { maxResults: 5 })
    const ms = performance.now() - start
    found.push(hits.map(({ url }) => url).join('\n'))
    // The first ones run once before, so that they are compiled.
    if (at >= 30) figures[name].push({ ms, isFound: hits.some(isAnswer(query)) })
  }
  if (at >= 30 && found[0] === found[1]) same++
}
const { sections, pages } = await inPostgres.totals()
console.log(
  `${sections} sections of ${pages} pages, ${queries.length} queries; filled in ${seconds.toFixed(0)} s, ${(bytes / 1e9).toFixed(2)} GB; the same five hits for ${((100 * same) / queries.length).toFixed(1)} %; load average ${loadavg()[0].toFixed(1)}`,
)
console.log('| index | section@5, % | p50, ms | p95, ms | p99, ms |\n|---|---|---|---|---|')
for (const [name, all] of Object.entries(figures)) {
  const times = all.map(({ ms }) => ms).sort((a, b) => a - b)
  const p = (share) => times[Math.floor(share * (times.length - 1))].toFixed(1)
  const found = (100 * all.filter(({ isFound }) => isFound).length) / all.length
  console.log(`| ${name} | ${found.toFixed(1)} | ${p(0.5)} | ${p(0.95)} | ${p(0.99)} |`)
}
inSqlite.close()
await database.close()
await engine?.stop()
