// How well files are found by a description, on the queries of a public benchmark, MinishLab/semble:
//   node describe.mjs --repos DIR --annotations DIR [--misses] [name …]
// DIR of the repositories has a checkout a name, and beside the annotations is their repos.json.
//
// NDCG@10 as benchmarks/metrics.py has it: gain 1 for a relevant or secondary file, by the rank of
// the file, ÷ that of as many files at the top; then the mean of queries, and of repositories. A
// file that the checkout lacks does not count as relevant, as in benchmarks/run_benchmark.py; a
// query that has no other is left out, which that program counts as 0.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { documentOf } from '../../packages/code/dist/describe/document.js'
import { packPostings } from '../../packages/code/dist/describe/postings.js'
import { rankFiles } from '../../packages/code/dist/describe/rank-files.js'
import { nameOf } from '../../packages/code/dist/describe/words.js'
import { languageOf, languageOfName } from '../../packages/code/dist/languages/all-languages.js'
import { createSourceFile } from '../../packages/code/dist/outline/source-file.js'
import { parseText } from '../../packages/code/dist/parse/parse-text.js'

/** Constants were chosen on these; the figure that counts is that of the others. */
const dev =
  `aiohttp axum chi commons-lang express fastapi fmtlib gson libuv serde tokio trpc`.split(' ')

const library = new URL('../../packages/code/', import.meta.url)
const { Language, Parser } = createRequire(new URL('package.json', library))('web-tree-sitter')
await Parser.init()
const bare = new Map()

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    repos: { type: 'string' },
    annotations: { type: 'string' },
    misses: { type: 'boolean' },
  },
})
const repos = JSON.parse(readFileSync(join(values.annotations, '../repos.json'), 'utf8'))
const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length
const cpuMs = () => (({ user, system }) => (user + system) / 1000)(process.cpuUsage())
const matches = (one, other) =>
  one === other || one.endsWith(`/${other}`) || other.endsWith(`/${one}`)
const gain = (ranks) => ranks.reduce((sum, rank) => sum + 1 / Math.log2(rank + 2), 0)

/** CPU time of parsing alone. */
async function parseMs(text, { grammar, name }) {
  const key = grammar ?? name
  const file = fileURLToPath(new URL(`grammars/${key}.wasm`, library))
  if (!bare.has(key)) bare.set(key, new Parser().setLanguage(await Language.load(file)))
  const started = cpuMs()
  bare.get(key).parse(text).delete()
  return cpuMs() - started
}

/** The files of a benchmark, without links, and what their index costs. */
async function indexOf(top, root) {
  const files = []
  const byTerm = new Map()
  const cost = { bytes: 0, parse: 0, words: 0 }
  const entries = readdirSync(join(top, root), { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile() && languageOfName(entry.name))
    .map((entry) => join(entry.path, entry.name))
    .filter((path) => !/\/(?:\.|node_modules\/)/.test(path))
    .sort()
  for (const path of paths) {
    const text = readFileSync(path, 'utf8')
    const language = languageOf(path, text)
    const outcome = await parseText(text, language, 20_000)
    const { symbols } = await createSourceFile(path, text, outcome)
    cost.bytes += Buffer.byteLength(text)
    cost.parse += await parseMs(text, language)
    const started = cpuMs()
    const comments = outcome.parsed?.leads ?? []
    const terms = documentOf({ path: relative(join(top, root), path), text, symbols, comments })
    cost.words += cpuMs() - started
    for (const [term, byte] of terms) {
      const list = byTerm.get(term) ?? { files: [], bytes: [] }
      byTerm.set(term, list)
      list.files.push(files.length)
      list.bytes.push(byte)
    }
    files.push(relative(top, path))
  }
  const packed = new Map(
    [...byTerm].map(([term, list]) => [term, packPostings(list.files, list.bytes)]),
  )
  const named = new Map()
  const below = files.map((file) => relative(root, file))
  for (const file of below)
    for (const term of nameOf(file)) named.set(term, (named.get(term) ?? 0) + 1)
  cost.postings = [...packed.values()].reduce((sum, list) => sum + list.length, 0)
  cost.terms = [...packed.keys()].reduce((sum, term) => sum + Buffer.byteLength(term) + 1, 0)
  const index = {
    count: files.length,
    postings: (term) => packed.get(term),
    path: (file) => below[file],
    named: (term) => named.get(term) ?? 0,
  }
  return { files, index, cost }
}

const results = []
for (const { name, revision, benchmark_root: root } of repos) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  const top = join(values.repos, name)
  if (!existsSync(top)) {
    console.log(`${name}: not here`)
    continue
  }
  const { files, index, cost } = await indexOf(top, root ?? '.')
  const kinds = {}
  const lacking = []
  let ms = 0
  const tasks = JSON.parse(readFileSync(join(values.annotations, `${name}.json`), 'utf8'))
  for (const { query, relevant, secondary, category } of tasks) {
    const all = [...relevant, ...secondary].map((target) => target.path ?? target)
    const targets = all.filter((target) => files.some((file) => matches(file, target)))
    lacking.push(...all.filter((target) => !targets.includes(target)))
    if (targets.length === 0) continue
    const started = cpuMs()
    for (let run = 0; run < 5; run++) rankFiles(query, index, 10)
    ms += (cpuMs() - started) / 5 / tasks.length
    const found = rankFiles(query, index, 10).map(({ file }) => files[file])
    const ranks = targets.map((target) => found.findIndex((file) => matches(file, target)))
    const ndcg = gain(ranks.filter((rank) => rank >= 0)) / gain([...targets.keys()].slice(0, 10))
    kinds[category] = [...(kinds[category] ?? []), ndcg]
    if (values.misses && ndcg < 0.7)
      console.log(ndcg.toFixed(2), query, '|', targets.join(' '), '|', found.slice(0, 4).join(' '))
  }
  const commit = execFileSync('git', ['-C', top, 'rev-parse', 'HEAD']).toString().slice(0, 10)
  results.push({ name, kinds, ms, cost, ndcg: mean(Object.values(kinds).flat()) })
  console.log(
    `${name} ${commit}${revision.startsWith(commit) ? '' : ', not as pinned'}: ${index.count} files, ${(cost.bytes / 1e6).toFixed(2)} MB, NDCG@10 ${results.at(-1).ndcg.toFixed(3)}, ${ms.toFixed(2)} ms a query, words ÷ parsing ${(cost.words / cost.parse).toFixed(2)}, postings ${((100 * cost.postings) / cost.bytes).toFixed(1)} % and terms ${((100 * cost.terms) / cost.bytes).toFixed(1)} % of the source${lacking.length > 0 ? `; lacks ${lacking.join(' ')}` : ''}`,
  )
}

const isDev = ({ name }) => dev.includes(name)
for (const [set, some] of [
  ['dev', results.filter(isDev)],
  ['unseen', results.filter((result) => !isDev(result))],
  ['all', results],
]) {
  if (some.length === 0) continue
  const kind = (name) => some.flatMap(({ kinds }) => kinds[name] ?? [])
  const kinds = ['architecture', 'semantic', 'symbol'].map(
    (name) => `${name} ${mean(kind(name)).toFixed(3)}`,
  )
  const sum = (key) => some.reduce((total, { cost }) => total + cost[key], 0)
  const slowest = Math.max(...some.map(({ ms }) => ms))
  console.log(
    `${set}: ${some.length} repositories, NDCG@10 ${mean(some.map(({ ndcg }) => ndcg)).toFixed(3)} (${kinds.join(', ')}), at most ${slowest.toFixed(2)} ms a query, words ÷ parsing ${(sum('words') / sum('parse')).toFixed(2)}, postings ${((100 * sum('postings')) / sum('bytes')).toFixed(1)} %, terms ${((100 * sum('terms')) / sum('bytes')).toFixed(1)} %`,
  )
}
