// Where pages of long functions end, and how full they are, beside cuts at any line: the replies of
// code-mcp over stdio, judged by others than our tables (judges.mjs).
//   node cuts.mjs [--show N]      with N of the cuts inside a statement
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createCode } from '../../packages/code/dist/index.js'
import { estimateTokens } from '../../packages/paginator/dist/index.js'
import { connect, partsOf, tokensOf } from './client.mjs'
import { codeFolder } from './corpora.mjs'
import { createJudge } from './judges.mjs'

const { values } = parseArgs({ options: { show: { type: 'string', default: '0' } } })
let toShow = Number(values.show)
const budgets = [2_000, 4_000, 8_000]
const functions = {
  'typescript/typescript.js': [
    'createTypeChecker',
    'createPrinter',
    'createScanner',
    'structuredTypeRelatedToWorker',
  ],
  'sqlite/sqlite3.c': ['sqlite3VdbeExec', 'sqlite3Pragma', 'yy_reduce'],
  'python/Python/ceval.c': ['_PyEval_EvalFrameDefault'],
  'python/Lib/_pydecimal.py': ['Decimal'],
  'python/Lib/re/_parser.py': ['_parse'],
}

const server = await connect()
const code = await createCode({ roots: [codeFolder], parseTimeoutMs: 120_000 })
const mean = (numbers) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length
/** The mean, or a dash where there is only one page. */
const average = (numbers) => (numbers.length === 0 ? '–' : mean(numbers).toFixed(1))
const percents = (shares) => average(shares.map((share) => 100 * share))

/** The pages as they are replied, and as the library has them, which has to be the same text. */
async function pagesOf(file, name, pageSize) {
  const pages = []
  let nextPageToken
  for await (const reply of server.pages(file, name, pageSize)) {
    const options = { pageSize, ...(nextPageToken && { pageToken: nextPageToken }) }
    const chunk = await code.functionChunk(file, name, options)
    const { text, repeated } = partsOf(reply)
    if (text !== chunk.text.replace(/\n$/, ''))
      throw new Error(`${name}: not the page of the library`)
    nextPageToken = chunk.nextPageToken
    pages.push({ chunk, reply, repeated, tokens: tokensOf(reply) })
  }
  return pages
}

/** As many lines as a budget has room for, and so on. */
function lineCuts(text, start, budget) {
  const cuts = []
  let at = start
  let spent = 0
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g)) {
    const tokens = tokensOf(line)
    if (spent > 0 && spent + tokens > budget) {
      cuts.push(at)
      spent = 0
    }
    spent += tokens
    at += line.length
  }
  return cuts
}

function judged(offsets, start, judge) {
  const verdicts = judge(offsets, start)
  const inside = offsets.filter((_, at) => !verdicts[at].isBetween)
  const open = verdicts.filter(({ isBetween }) => isBetween).map((verdict) => verdict.open)
  return { inside, open }
}

console.log(
  '| function | lines | budget | pages | filled %, o200k | by our estimate | fullest reply %, o200k | by our estimate | cuts inside a statement | blocks open | repeated % | same bytes | line cuts: pages | inside a statement | blocks open |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|',
)
const sums = new Map(budgets.map((budget) => [budget, []]))
for (const [file, names] of Object.entries(functions)) {
  const bytes = readFileSync(join(codeFolder, file))
  const text = bytes.toString()
  const judge = createJudge(file, text)
  for (const name of names)
    for (const budget of budgets) {
      const pages = await pagesOf(file, name, budget)
      const body = pages.map(({ chunk }) => chunk.text).join('')
      const start = text.split('\n', pages[0].chunk.fileStartLine - 1).join('\n').length + 1
      const from = Buffer.byteLength(text.slice(0, start))
      const isSame = bytes.subarray(from, from + Buffer.byteLength(body)).equals(Buffer.from(body))
      let at = start
      const cuts = pages.slice(0, -1).map(({ chunk }) => {
        at += chunk.text.length
        return at
      })
      const own = judged(cuts, start, judge)
      const lines = judged(lineCuts(body, start, budget), start, judge)
      for (const offset of own.inside)
        if (toShow-- > 0)
          console.error(
            `${name}, ${budget}: ${JSON.stringify(text.slice(offset - 60, offset))} | ${JSON.stringify(text.slice(offset, offset + 60))}`,
          )
      const figures = {
        pages: pages.length,
        filled: pages.slice(0, -1).map(({ tokens }) => tokens / budget),
        estimated: pages.slice(0, -1).map(({ reply }) => estimateTokens(reply) / budget),
        fullest: Math.max(...pages.map(({ tokens }) => tokens / budget)),
        fullestEstimated: Math.max(...pages.map(({ reply }) => estimateTokens(reply) / budget)),
        inside: own.inside.length,
        open: own.open,
        repeated: pages.slice(1).map(({ repeated, tokens }) => tokensOf(repeated) / tokens),
        isSame,
        linePages: lines.inside.length + lines.open.length + 1,
        lineInside: lines.inside.length,
        lineOpen: lines.open,
      }
      sums.get(budget).push(figures)
      print(name, pages[0].chunk.totalLines, budget, figures)
    }
}
for (const [budget, all] of sums) {
  const together = {}
  for (const key of Object.keys(all[0])) {
    const each = all.map((figures) => figures[key])
    if (Array.isArray(each[0])) together[key] = each.flat()
    else if (key === 'isSame') together[key] = each.every(Boolean)
    else
      together[key] = key.startsWith('fullest')
        ? Math.max(...each)
        : each.reduce((sum, one) => sum + one)
  }
  print('all', '', budget, together)
}
await server.close()
await code.close()

function print(name, lines, budget, figures) {
  const { pages, inside, isSame, linePages, lineInside } = figures
  const cells = [
    name,
    lines,
    budget,
    pages,
    percents(figures.filled),
    percents(figures.estimated),
    percents([figures.fullest]),
    percents([figures.fullestEstimated]),
    inside,
    average(figures.open),
    percents(figures.repeated),
    isSame ? 'yes' : 'NO',
    linePages,
    lineInside,
    average(figures.lineOpen),
  ]
  console.log(`| ${cells.join(' | ')} |`)
}
