// The first pages of functions in files of 9 MB: time beside that of the parser alone, and memory,
// each in a process of its own, by turns; medians. Wants a quiet machine.
//   node large.mjs [pairs, 5]
import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { codeFolder } from './corpora.mjs'

const pairs = Number(process.argv[2] ?? 5)
const child = fileURLToPath(new URL('large-child.mjs', import.meta.url))
const files = [
  { file: 'sqlite/sqlite3.c', language: 'c', name: 'sqlite3VdbeExec' },
  { file: 'typescript/typescript.js', language: 'javascript', name: 'createTypeChecker' },
]
const run = (...args) =>
  JSON.parse(execFileSync(process.execPath, [child, ...args], { timeout: 300_000 }).toString())
const median = (values) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]
const megabytes = (bytes) => (bytes / 1e6).toFixed(0)

console.log(
  '| file | MB | first page ms | parser alone ms | ratio | of the pairs | second page ms | peak RSS MB | above its begin, MB | × the file | parser alone, × |\n|---|---|---|---|---|---|---|---|---|---|---|',
)
for (const { file, language, name } of files) {
  const { size } = statSync(join(codeFolder, file))
  const runs = Array.from({ length: pairs }, () => ({
    ours: run('pages', file, name),
    parser: run('parse', file, language),
  }))
  const ratios = runs.map(({ ours, parser }) => ours.ms / parser.ms)
  const grown = ({ peak, before }) => peak - before
  const of = (value) => median(runs.map(value))
  const cells = [
    file,
    (size / 1e6).toFixed(1),
    of(({ ours }) => ours.ms).toFixed(0),
    of(({ parser }) => parser.ms).toFixed(0),
    median(ratios).toFixed(2),
    `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`,
    of(({ ours }) => ours.secondMs).toFixed(1),
    megabytes(of(({ ours }) => ours.peak)),
    megabytes(of(({ ours }) => grown(ours))),
    (of(({ ours }) => grown(ours)) / size).toFixed(1),
    (of(({ parser }) => grown(parser)) / size).toFixed(1),
  ]
  console.log(`| ${cells.join(' | ')} |`)
}
