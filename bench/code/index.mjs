// The index of folders: processor time and time to fill it, its size beside the source, peak memory,
// the longest wait of the main thread meanwhile, and a search and references once it is whole:
// medians of 20 names that it defines, by a rule.
//   node index.mjs <folder>…
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'

const library = new URL('../../packages/code/dist/', import.meta.url)
const names = 20

if (process.argv[2] === '--only') console.log(JSON.stringify(await measure(process.argv[3])))
else {
  console.log(
    '| folder | files | MB | CPU s | s | index, % | peak MB | longest wait ms | search ms | references ms |',
  )
  console.log('|---|---|---|---|---|---|---|---|---|---|')
  for (const folder of process.argv.slice(2)) {
    // A process each, so that memory is of one folder.
    const args = [fileURLToPath(import.meta.url), '--only', folder]
    const row = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
    console.log(`| ${[basename(folder), ...row].join(' | ')} |`)
  }
}

async function measure(folder) {
  const { createCode } = await import(new URL('index.js', library))
  const { listSources } = await import(new URL('search/byte-search.js', library))
  const { rootsOf } = await import(new URL('access/roots.js', library))
  const { files } = listSources(rootsOf([folder]), {}, () => false)
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
  const cacheFolder = mkdtempSync(join(tmpdir(), 'bench-index-'))
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const [start, before] = [performance.now(), process.cpuUsage()]
  const code = await createCode({ roots: [folder], cacheFolder })
  let peak = 0
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 20)
  delay.enable()
  await code.index()
  delay.disable()
  clearInterval(timer)
  const { user, system } = process.cpuUsage(before)
  const seconds = (performance.now() - start) / 1e3
  const [database] = readdirSync(join(cacheFolder, 'index')).filter((name) =>
    name.endsWith('.sqlite'),
  )
  const size = statSync(join(cacheFolder, 'index', database)).size
  const queries = await namesOf(code, files)
  const search = await medianOf(queries, (name) => code.findFunctions(name))
  const references = await medianOf(queries, (name) => code.references(name))
  await code.close()
  rmSync(cacheFolder, { recursive: true })
  const rounded = (value, digits = 1) => Number(value.toFixed(digits))
  return [
    files.length,
    rounded(bytes / 1e6, 2),
    rounded((user + system) / 1e6),
    rounded(seconds),
    rounded((100 * size) / bytes),
    Math.round(peak / 1e6),
    rounded(delay.max / 1e6),
    search,
    references,
  ]
}

/** The first name of every n-th file. */
async function namesOf(code, files) {
  const queries = []
  for (
    let at = 0;
    at < files.length && queries.length < names;
    at += Math.ceil(files.length / (2 * names))
  ) {
    const { entries } = await code.outline(files[at])
    if (entries[0])
      queries.push(
        entries[0].path
          .split('/')
          .at(-1)
          .replace(/\[\d+\]$/, ''),
      )
  }
  return queries
}

/** Of second calls. */
async function medianOf(queries, call) {
  const times = []
  for (const query of queries) {
    await call(query)
    const start = performance.now()
    await call(query)
    times.push(performance.now() - start)
  }
  return Number(times.sort((a, b) => a - b)[Math.floor(times.length / 2)]?.toFixed(1))
}
