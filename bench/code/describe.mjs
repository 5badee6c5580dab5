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
import { rankFiles, termsOfQuery } from '../../packages/code/dist/describe/rank-files.js'
import { nameOf } from '../../packages/code/dist/describe/words.js'
import { languageOf, languageOfName } from '../../packages/code/dist/languages/all-languages.js'
import { createSourceFile } from '../../packages/code/dist/outline/source-file.js'
import { outlineText } from '../../packages/code/dist/parse/parse-text.js'
import { readVarints, VarintWriter } from '../../packages/code/dist/symbol-index/varints.js'

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
  const filesOfTerm = new Map()
  const writers = new Map()
  const cost = { bytes: 0, parse: 0, words: 0, postings: 0, terms: 0 }
  const paths = readdirSync(join(top, root), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && languageOfName(entry.name))
    .map((entry) => relative(top, join(entry.path, entry.name)))
    .filter((path) => !/(?:^|\/)(?:\.|node_modules\/)/.test(path))
    .sort()
  for (const path of paths) {
    const text = readFileSync(join(top, path), 'utf8')
    const language = languageOf(path, text)
    const { symbols } = await createSourceFile(
      path,
      text,
      await outlineText(text, language, 20_000),
    )
    cost.bytes += Buffer.byteLength(text)
    cost.parse += await parseMs(text, language)
    const started = cpuMs()
    const terms = documentOf({ path, text, symbols })
    cost.words += cpuMs() - started
    for (const [term, byte] of terms) {
      const list = writers.get(term) ?? { writer: new VarintWriter(), before: 0 }
      list.writer.write(((files.length - list.before) << 8) | byte)
      writers.set(term, { ...list, before: files.length })
    }
    for (const term of nameOf(path)) filesOfTerm.set(term, (filesOfTerm.get(term) ?? 0) + 1)
    files.push(path)
  }
  const packed = new Map()
  for (const [term, { writer }] of writers) {
    packed.set(term, writer.bytes())
    cost.postings += packed.get(term).length
    cost.terms += Buffer.byteLength(term) + 1
  }
  const below = files.map((file) => relative(root, file))
  const search = (query) => {
    const postings = new Map()
    for (const term of termsOfQuery(query))
      if (packed.has(term)) postings.set(term, [{ base: 0, values: readVarints(packed.get(term)) }])
    const index = {
      count: files.length,
      last: files.length - 1,
      postings,
      path: (file) => below[file],
      named: (term) => filesOfTerm.get(term) ?? 0,
    }
    return rankFiles(query, index, 10).files.map(({ file }) => files[file])
  }
  return { files, search, cost }
}

const results = []
for (const { name, revision, benchmark_root: root } of repos) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  const top = join(values.repos, name)
  if (!existsSync(top)) {
    console.log(`${name}: not here`)
    continue
  }
  const { files, search, cost } = await indexOf(top, root ?? '.')
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
    for (let run = 0; run < 5; run++) search(query)
    ms += (cpuMs() - started) / 5 / tasks.length
    const ranked = search(query)
    const ranks = targets.map((target) => ranked.findIndex((file) => matches(file, target)))
    const ndcg = gain(ranks.filter((rank) => rank >= 0)) / gain([...targets.keys()].slice(0, 10))
    kinds[category] = [...(kinds[category] ?? []), ndcg]
    if (values.misses && ndcg < 0.7)
      console.log(ndcg.toFixed(2), query, '|', targets.join(' '), '|', ranked.slice(0, 4).join(' '))
  }
  const commit = execFileSync('git', ['-C', top, 'rev-parse', 'HEAD']).toString().slice(0, 10)
  const result = { name, kinds, ms, cost, ndcg: mean(Object.values(kinds).flat()) }
  results.push(result)
  const pinned = revision.startsWith(commit) ? '' : ', not as pinned'
  const rest = lacking.length > 0 ? `; lacks ${lacking.join(' ')}` : ''
  console.log(`${name} ${commit}${pinned}: ${files.length} files, ${figures([result])}${rest}`)
}

function figures(some) {
  const sum = (key) => some.reduce((total, { cost }) => total + cost[key], 0)
  const percent = (key) => ((100 * sum(key)) / sum('bytes')).toFixed(1)
  const ndcg = mean(some.map((result) => result.ndcg)).toFixed(3)
  const ms = Math.max(...some.map((result) => result.ms)).toFixed(1)
  return `${(sum('bytes') / 1e6).toFixed(1)} MB, NDCG@10 ${ndcg}, ${ms} ms a query, words ÷ parsing ${(sum('words') / sum('parse')).toFixed(2)}, postings ${percent('postings')} % and terms ${percent('terms')} % of the source`
}

const isDev = ({ name }) => dev.includes(name)
const sets = { dev: results.filter(isDev), unseen: results.filter((result) => !isDev(result)) }
for (const [set, some] of Object.entries({ ...sets, all: results })) {
  if (some.length === 0) continue
  const kinds = ['architecture', 'semantic', 'symbol'].map((kind) => {
    const all = some.flatMap((result) => result.kinds[kind] ?? [])
    return `${kind} ${mean(all).toFixed(3)}`
  })
  console.log(`${set}: ${some.length} repositories, ${figures(some)}; ${kinds.join(', ')}`)
}
