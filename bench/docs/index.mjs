// Indexes of all sections of the manuals, beside each other: building, starting from what is on
// disk, answering, finding. Every measurement is a process of its own, interleaved, medians.
//   node index.mjs [--seed 1] [--rounds 3] [--seconds 120] [--sections file] [--keep] [adapter …]
// Adapters are files of adapters/; by default all. A round asks the queries of queries-<seed>.json, in
// turn of each class, as many as there are seconds for. With --keep, what is built is used again.
// An adapter exports
//   name
//   build(sectionsFile, folder)            writes what `start` needs into the empty folder
//   start(folder) → search(query, k)       → [{url, id, title}], best first
// all of which may be promises.
import { execFileSync, fork } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { sectionsFile } from './read-sections.mjs'
import { manualsFolder } from './trees.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '120' },
    sections: { type: 'string', default: sectionsFile },
    keep: { type: 'boolean', default: false },
  },
})
const path = (file) => fileURLToPath(new URL(file, import.meta.url))
const known = readdirSync(path('adapters')).map((file) => file.replace(/\.mjs$/, ''))
const chosen = positionals.length > 0 ? positionals : known
const folderOf = (adapter) => `${manualsFolder}/index/${adapter}`
const queriesFile = `${manualsFolder}/queries-${values.seed}.json`

/** What a process of index-child.mjs reports at its end. */
function measured(...args) {
  const child = fork(path('index-child.mjs'), args, {
    env: { ...process.env, SPAWNED_AT: String(performance.timeOrigin + performance.now()) },
    // Peers hold all in the heap of JavaScript, and may.
    execArgv: ['--max-old-space-size=12000'],
  })
  return new Promise((resolve, reject) => {
    let report
    child.on('message', (message) => {
      report = message
    })
    child.on('error', reject)
    child.on('exit', (code) =>
      report ? resolve(report) : reject(new Error(`${args.join(' ')} ended with ${code}`)),
    )
  })
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]
const megabytesIn = (folder) =>
  Number(execFileSync('du', ['-sk', folder], { encoding: 'utf8' }).split('\t')[0]) / 1024

/** What building took; beside the folder, once it is whole. */
async function build(adapter) {
  const folder = folderOf(adapter)
  const report = `${folder}.json`
  if (values.keep && existsSync(report)) return JSON.parse(readFileSync(report, 'utf8'))
  rmSync(report, { force: true })
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const built = await measured('build', adapter, values.sections, folder)
  writeFileSync(report, JSON.stringify(built))
  console.error(`${adapter} is built`)
  return built
}

const built = new Map()
for (const adapter of chosen) built.set(adapter, await build(adapter))

const runs = new Map(chosen.map((adapter) => [adapter, []]))
for (let round = 0; round < Number(values.rounds); round++)
  for (const adapter of chosen) {
    runs
      .get(adapter)
      .push(await measured('ask', adapter, queriesFile, folderOf(adapter), values.seconds))
    console.error(`${adapter}, round ${round + 1}`)
  }

const classes = [
  ...new Set(JSON.parse(readFileSync(queriesFile, 'utf8')).map((query) => query.class)),
]
console.log(
  `| index | build s | build RSS MB | disk MB | start to first result ms | queries | p50 ms | p99 ms | RSS MB | ${classes.map((kind) => `R@5 ${kind}`).join(' | ')} |`,
)
console.log(`|${'---|'.repeat(9 + classes.length)}`)
for (const adapter of chosen) {
  const all = runs.get(adapter)
  const mid = (key, digits) => median(all.map((run) => run[key])).toFixed(digits)
  const { seconds, rss } = built.get(adapter)
  const cells = [
    all[0].name,
    seconds.toFixed(1),
    rss.toFixed(0),
    megabytesIn(folderOf(adapter)).toFixed(1),
    mid('first', 0),
    mid('asked', 0),
    mid('p50', 2),
    mid('p99', 1),
    mid('rss', 0),
    ...classes.map((kind) => (100 * median(all.map((run) => run.found[kind]))).toFixed(1)),
  ]
  console.log(`| ${cells.join(' | ')} |`)
}
