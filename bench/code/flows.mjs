// What a model reads to have one function whose name it knows: by the tools of code-mcp over stdio,
// as a whole file, and in windows of numbered lines as a tool that reads files gives them: of 2,000,
// or of 200 by one who asks for few.
// Rule: of each corpus the functions of five lines and more with a name that no other in it has, by
// their length; those at the shares below, and the longest. One that stands in one already chosen
// gives way to the next.
//   node flows.mjs [--each]
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCode } from '../../packages/code/dist/index.js'
import { connect, partsOf, tokensOf } from './client.mjs'
import { codeFolder, corpora } from './corpora.mjs'

const withEach = process.argv.includes('--each')
const shares = [0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1]
const minLines = 5
const windowLines = 2_000
const fewLines = 200
const maxLineLength = 2_000
const functionKinds = new Set(['function', 'method', 'constructor', 'accessor'])

const code = await createCode({ roots: [codeFolder], parseTimeoutMs: 120_000 })
const server = await connect()

const nameOf = (path) =>
  path
    .replace(/\[\d+\]$/, '')
    .split('/')
    .at(-1)

async function chosenOf({ name: corpus, files }) {
  const all = []
  for (const file of files())
    for (const { path, kind, startLine, endLine } of (await code.outline(file)).entries)
      if (functionKinds.has(kind))
        all.push({ corpus, file, path, name: nameOf(path), startLine, endLine })
  const seen = new Map()
  for (const { name } of all) seen.set(name, (seen.get(name) ?? 0) + 1)
  const linesOf = ({ startLine, endLine }) => endLine - startLine + 1
  const ranked = all
    .filter((one) => seen.get(one.name) === 1 && linesOf(one) >= minLines)
    .sort((one, other) => linesOf(one) - linesOf(other))
  const chosen = []
  for (const share of shares.toReversed())
    for (let at = Math.ceil(share * ranked.length) - 1; at >= 0; at--) {
      const one = ranked[at]
      const isWithin = chosen.some(
        ({ file, startLine, endLine }) =>
          file === one.file && startLine <= one.startLine && one.endLine <= endLine,
      )
      if (isWithin) continue
      chosen.push(one)
      break
    }
  return chosen.reverse().map((one) => ({ ...one, lines: linesOf(one) }))
}

const searchLine = /^(\S+)#(\S+) · /
/** A search shows the text of a short function that is its only clear hit; nothing is left to read. */
const isShown = (found) => /^`{3,}\w*$/m.test(found) && !found.includes('[next: get_chunk')

/** By the name alone: the search, then the pages of its first hit. */
async function ours({ file, path, name, body }) {
  const found = await server.call('find_function', { query: name })
  const hits = found
    .split('\n')
    .flatMap((line) => searchLine.exec(line)?.slice(1, 3).join('#') ?? [])
  const replies = []
  let text = isShown(found) ? partsOf(found).text : ''
  if (text === '')
    for await (const reply of server.pages(file, path)) {
      replies.push(reply)
      text += `${partsOf(reply).text}\n`
    }
  const isWhole = text.replace(/\s+/g, '') === body.replace(/\s+/g, '')
  const tokens = [found, ...replies].reduce((sum, reply) => sum + tokensOf(reply), 0)
  const search = tokensOf(found)
  return {
    tokens,
    search,
    calls: replies.length + 1,
    rank: hits.indexOf(`${file}#${path}`) + 1,
    isWhole,
  }
}

const clipped = (line) => (line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…` : line)
const numbered = (lines, first) =>
  lines.map((line, at) => `${String(first + at).padStart(6)}\t${clipped(line)}`).join('\n')

/** Windows from a line on, until the function has ended. */
function windows(lines, from, { endLine }, most = windowLines) {
  const replies = []
  for (let first = from; first <= endLine; first += most)
    replies.push(numbered(lines.slice(first - 1, first - 1 + most), first))
  return replies
}

/** What a search for the word answers, `file:line:text`, in the file and, as it may be, elsewhere. */
function grep(lines, { file, name }) {
  const word = new RegExp(`(?<![\\w$])${name.replace(/\W/g, '\\$&')}(?![\\w$])`)
  return lines
    .map((line, at) => (word.test(line) ? `${file}:${at + 1}:${clipped(line)}` : ''))
    .filter(Boolean)
    .join('\n')
}

const whole = new Map()
const results = []
for (const corpus of corpora)
  for (const chosen of await chosenOf(corpus)) {
    const text = readFileSync(join(codeFolder, chosen.file), 'utf8')
    const lines = text.split('\n')
    if (!whole.has(chosen.file)) whole.set(chosen.file, tokensOf(text))
    const body = lines.slice(chosen.startLine - 1, chosen.endLine).join('\n')
    const sum = (replies) => replies.reduce((total, reply) => total + tokensOf(reply), 0)
    results.push({
      ...chosen,
      own: tokensOf(body),
      file: whole.get(chosen.file),
      fromTop: sum(windows(lines, 1, chosen)),
      searched: sum([grep(lines, chosen), ...windows(lines, chosen.startLine, chosen)]),
      searchedFew: sum([
        grep(lines, chosen),
        ...windows(lines, chosen.startLine, chosen, fewLines),
      ]),
      ...(await ours({ ...chosen, body })),
      path: `${chosen.file}#${chosen.path}`,
    })
  }
const { tools } = await server.client.listTools()
const standing = [JSON.stringify(tools), server.client.getInstructions() ?? ''].map(tokensOf)
await server.close()
await code.close()

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length
const median = (values) => values.toSorted((one, other) => one - other)[values.length >> 1]
const count = (value) => Math.round(value).toLocaleString('en-US')
const ways = {
  'the function itself': 'own',
  'find_function, then get_chunk to the end': 'tokens',
  'grep for the name + windows of 200 lines from its first': 'searchedFew',
  'grep for the name + windows of 2,000 lines from its first': 'searched',
  'windows of 2,000 lines from the top of the file': 'fromTop',
  'the whole file': 'file',
}
console.log(
  `${results.length} functions of ${Math.min(...results.map(({ lines }) => lines))} to ${count(Math.max(...results.map(({ lines }) => lines)))} lines; the search cost ${count(median(results.map(({ search }) => search)))} tokens (median), found first ${results.filter(({ rank }) => rank === 1).length}; whole: ${results.filter(({ isWhole }) => isWhole).length}\n`,
)
console.log('| way | tokens, median | × the function, median | mean tokens |\n|---|---|---|---|')
for (const [way, key] of Object.entries(ways)) {
  const tokens = results.map((result) => result[key])
  const times = results.map((result) => result[key] / result.own)
  console.log(
    `| ${way} | ${count(median(tokens))} | ${median(times).toFixed(2)} | ${count(mean(tokens))} |`,
  )
}
console.log(
  `\ntools/list: ${tools.length} tools, ${standing[0]} tokens; instructions: ${standing[1]}`,
)
if (withEach) {
  console.log(
    '\n| function | lines | calls | rank | its tokens | ours | grep + 200 | grep + 2,000 | from the top | whole file |\n|---|---|---|---|---|---|---|---|---|---|',
  )
  for (const one of results) {
    const tokens = [one.own, one.tokens, one.searchedFew, one.searched, one.fromTop, one.file].map(
      count,
    )
    console.log(`| ${[one.path, one.lines, one.calls, one.rank || '–', ...tokens].join(' | ')} |`)
  }
}
