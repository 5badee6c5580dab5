// One measurement of large.mjs in a process of its own; a line of JSON.
//   node large-child.mjs pages <file> <function>      the first two pages of the function
//   node large-child.mjs parse <file> <language>      the tree, by web-tree-sitter alone
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeFolder } from './corpora.mjs'

const [kind, file, name] = process.argv.slice(2)
const timed = async (work) => {
  const started = performance.now()
  const result = await work()
  return { result, ms: performance.now() - started }
}

async function pages() {
  const { createCode } = await import('../../packages/code/dist/index.js')
  const before = process.memoryUsage().rss
  const code = await createCode({ roots: [codeFolder], parseTimeoutMs: 120_000 })
  const first = await timed(() => code.functionChunk(file, name))
  const { nextPageToken: pageToken } = first.result
  const second = await timed(() => code.functionChunk(file, name, { pageToken }))
  const peak = process.resourceUsage().maxRSS * 1024
  await code.close()
  return { ms: first.ms, secondMs: second.ms, before, peak }
}

async function parse() {
  const { Language, Parser } = await import('web-tree-sitter')
  const { grammarFile } = await import('./tags.mjs')
  const before = process.memoryUsage().rss
  const text = readFileSync(join(codeFolder, file), 'utf8')
  const loaded = await timed(async () => {
    await Parser.init()
    const parser = new Parser()
    parser.setLanguage(await Language.load(grammarFile(name)))
    return parser
  })
  const parsed = await timed(() => loaded.result.parse(text))
  const peak = process.resourceUsage().maxRSS * 1024
  return { ms: parsed.ms, loadMs: loaded.ms, before, peak }
}

console.log(JSON.stringify(await { pages, parse }[kind]()))
