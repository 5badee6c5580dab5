// Compares the tree of the fast parse with that of parse5, page by page, and counts why pages are
// handed over to parse5. Fails on a difference.
//   node trees.mjs [--sample N] [--seed S] [folder …]      default: the pages of the corpus
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { HandOver } from '../../packages/cleaner/dist/parse/hand-over.js'
import { parseWellFormed } from '../../packages/cleaner/dist/parse/parse-well-formed.js'
import { parseWithParse5 } from '../../packages/cleaner/dist/parse/parse-with-parse5.js'
import { toHtml } from '../../packages/cleaner/dist/parse/rehype-parse5.js'
import { fetchedPages } from '../corpus/corpus.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: 'string' }, seed: { type: 'string' } },
})
const seed = Number(values.seed ?? Date.now() % 1e6)

const bounds = { maxElements: 500_000, checkTime: () => {} }

function read(file) {
  const bytes = readFileSync(file)
  return toHtml((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString())
}

function pagesIn(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.x?html?(\.gz)?$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
}

/** mulberry32: the same sample for the same seed. */
function random(state) {
  let at = state
  return () => {
    at = (at + 0x6d2b79f5) | 0
    let value = Math.imul(at ^ (at >>> 15), 1 | at)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
}

function sampleOf(files, size) {
  if (!size) return files
  const next = random(seed)
  return files
    .sort()
    .map((file) => [next(), file])
    .sort(([one], [other]) => one - other)
    .slice(0, size)
    .map(([, file]) => file)
}

/** The path of the first difference, or undefined. Symbols are the parser's own. */
function difference(one, other, path = '') {
  if (one === other) return undefined
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return path || '/'
  const keys = Object.keys(one)
  if (keys.length !== Object.keys(other).length || Array.isArray(one) !== Array.isArray(other))
    return path || '/'
  for (const key of keys) {
    const found = difference(one[key], other[key], `${path}/${key}`)
    if (found) return found
  }
  return undefined
}

const all =
  positionals.length > 0 ? positionals.flatMap(pagesIn) : fetchedPages().map((p) => p.file)
const files = sampleOf(all, Number(values.sample ?? 0))
const reasons = new Map()
let equal = 0
let different = 0
for (const file of files) {
  const html = read(file)
  try {
    const { root } = parseWellFormed(html, bounds)
    const found = difference(root, parseWithParse5(html, bounds))
    if (found) console.log(`different: ${file} at ${found}`)
    if (found) different++
    else equal++
  } catch (error) {
    if (!(error instanceof HandOver)) throw error
    reasons.set(error.message, [...(reasons.get(error.message) ?? []), file])
  }
}
const handedOver = files.length - equal - different
console.log(
  `${files.length} of ${all.length} pages, seed ${seed}: ${equal} equal, ${different} different, ${handedOver} handed over`,
)
for (const [reason, pages] of [...reasons].sort(([, one], [, other]) => other.length - one.length))
  console.log(`${String(pages.length).padStart(5)}  ${reason}  (${pages[0]})`)
process.exitCode = different > 0 ? 1 : 0
