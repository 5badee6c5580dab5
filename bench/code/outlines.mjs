// Outlines of all files of a folder beside the parser alone: processor time of one process each, by
// turns, after a first file; medians.
//   node outlines.mjs <folder>…  [--rounds=5]
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const library = new URL('../../packages/code/dist/', import.meta.url)
/** That of the library, which loads the grammars for it. */
const treeSitter = new URL('../node_modules/web-tree-sitter/web-tree-sitter.js', library)
const maxBytes = 1_000_000
/** Characters of a folder that are read. */
const maxTotal = 20_000_000

const args = process.argv.slice(2)
const [, only] = args.find((arg) => arg.startsWith('--only='))?.split('=') ?? []
const rounds = Number(args.find((arg) => arg.startsWith('--rounds='))?.split('=')[1] ?? 5)
const folders = args.filter((arg) => !arg.startsWith('--'))

if (only) console.log(JSON.stringify(await measure(only, folders[0])))
else compare()

async function measure(kind, folder) {
  const { Parser } = await import(treeSitter)
  const { loadGrammar, outlineText, parseText } = await import(
    new URL('parse/parse-text.js', library)
  )
  const parsers = new Map()
  const parse = {
    parser: async (text, { name, grammar = name }) => {
      const loaded = await loadGrammar(grammar)
      const parser = parsers.get(grammar) ?? new Parser().setLanguage(loaded)
      parsers.set(grammar, parser)
      parser.parse(text).delete()
    },
    outline: (text, language) => outlineText(text, language, 60_000),
    full: (text, language) => parseText(text, language, 60_000),
  }[kind]
  const files = await filesOf(folder)
  await parse(...files[0])
  const before = process.cpuUsage()
  for (const file of files) await parse(...file)
  const { user, system } = process.cpuUsage(before)
  const characters = files.reduce((sum, [text]) => sum + text.length, 0)
  return { files: files.length, characters, ms: (user + system) / 1000 }
}

async function filesOf(folder) {
  const { languageOf } = await import(new URL('languages/all-languages.js', library))
  const { decodeText, isWide } = await import(new URL('access/read-text.js', library))
  const files = []
  let total = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || /\/(?:node_modules|\.git)\//.test(path)) continue
    const bytes = readFileSync(path)
    if (bytes.length > maxBytes || (bytes.includes(0) && !isWide(bytes))) continue
    const text = decodeText(bytes)
    const language = languageOf(path, text)
    if (!language) continue
    files.push([text, language])
    total += text.length
    if (total > maxTotal) break
  }
  return files
}

function compare() {
  const script = fileURLToPath(import.meta.url)
  const run = (kind, folder) =>
    JSON.parse(execFileSync(process.execPath, [script, `--only=${kind}`, folder]).toString())
  const median = (runs) =>
    runs.map(({ ms }) => ms).toSorted((a, b) => a - b)[Math.floor(runs.length / 2)]
  console.log(
    '| folder | files | MB | parser alone ms | outlines ms | ratio | with units ms | ratio |\n|---|---|---|---|---|---|---|---|',
  )
  for (const folder of folders) {
    const runs = { parser: [], outline: [], full: [] }
    for (let round = 0; round < rounds; round++)
      for (const kind of Object.keys(runs)) runs[kind].push(run(kind, folder))
    const [{ files, characters }] = runs.parser
    const [parser, outline, full] = Object.values(runs).map(median)
    const cells = [
      basename(folder),
      files,
      (characters / 1e6).toFixed(1),
      parser.toFixed(0),
      outline.toFixed(0),
      (outline / parser).toFixed(2),
      full.toFixed(0),
      (full / parser).toFixed(2),
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
}
