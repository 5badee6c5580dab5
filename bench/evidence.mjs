// Take the figures that the README, the manual and bench/README.md state: run the benchmarks, keep
// what they print in evidence.json beside this file, and write the figures into the texts.
//   pnpm evidence                 run what was not run since the sources changed, then write
//   pnpm evidence ID …            run these again
//   pnpm evidence --list          what there is, and when it was run
//   pnpm evidence --write         only write the texts from what is kept
// Each run is kept as soon as it ends, so that a run that was stopped goes on with the next one.
import { execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { figureOf, readRecords, recordsFile } from './evidence/records.mjs'
import { runs } from './evidence/runs.mjs'
import { readTables } from './evidence/tables.mjs'
import { textsWith } from './evidence/texts.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values: flags, positionals } = parseArgs({
  options: { list: { type: 'boolean' }, write: { type: 'boolean' } },
  allowPositionals: true,
})
const unknown = positionals.filter((id) => !runs[id])
if (unknown.length > 0) {
  console.error(`There is no run ${unknown.join(', ')}. Runs: ${Object.keys(runs).join(', ')}.`)
  process.exit(2)
}

const records = readRecords()
const sources = sourcesNow()
if (flags.list) for (const id of Object.keys(runs)) console.log(`${id.padEnd(16)}${stateOf(id)}`)
else {
  const due = positionals.length > 0 ? positionals : Object.keys(runs).filter(isDue)
  const failed = []
  if (!flags.write) for (const id of due) if (!(await take(id))) failed.push(id)
  const isWritten = writeTexts()
  if (failed.length > 0) console.error(`Failed: ${failed.join(', ')}. Their old figures stay.`)
  process.exitCode = isWritten && failed.length === 0 ? 0 : 1
}

/** Whether all texts could be written; nothing is where a figure is missing. */
function writeTexts() {
  try {
    const texts = textsWith(figureOf(records), records, root)
    for (const [path, text] of texts) writeFileSync(`${root}${path}`, text)
    console.log('The texts have the figures.')
    return true
  } catch (error) {
    console.error(`No text was written. ${error.message}`)
    return false
  }
}

function stateOf(id) {
  const record = records[id]
  if (!record) return 'never run'
  const age = record.sources === sources ? 'these sources' : `older sources, ${record.sources}`
  return `${record.date}, ${age}; ${record.machine}`
}

function isDue(id) {
  return records[id]?.sources !== sources
}

/** Run a benchmark and keep what it printed. Resolves to whether it succeeded. */
async function take(id) {
  const { folder, args, read = readTables } = runs[id]
  console.log(`▸ ${id}: cd ${folder} && node ${args.join(' ')}`)
  const output = await outputOf(args, `${root}${folder}`)
  const tables = output === undefined ? [] : read(output)
  if (tables.length === 0) return false
  const [cpu] = cpus()
  records[id] = {
    command: `cd ${folder} && node ${args.join(' ')}`,
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} × ${cpu.model.trim()}, Node ${process.versions.node}, ${process.platform}`,
    sources,
    tables,
  }
  writeFileSync(recordsFile, `${JSON.stringify(records, undefined, 1)}\n`)
  return true
}

/** What a script prints, or undefined if it fails. Its errors and progress are shown. */
function outputOf(args, cwd) {
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    output += chunk
  })
  return new Promise((resolve) => {
    child.on('close', (code) => resolve(code === 0 ? output : undefined))
  })
}

/** The committed sources of packages and apps, by their hash in git. */
function sourcesNow() {
  const args = ['rev-parse', 'HEAD:packages', 'HEAD:apps']
  const hashes = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim().split('\n')
  return hashes.map((hash) => hash.slice(0, 8)).join(' ')
}
