// What results of tools cost a model, with first pages and with a selection at the call: replays the
// public run of LiveMCPBench through an aggregator, and counts the characters that later turns carry.
// Where the first reply lacks a piece that the model writes later, the next page is read, which is a
// call more. First pages were chosen on one half of the tasks.
//   git clone --depth 1 https://github.com/icip-cas/LiveMCPBench
//   node results.mjs <folder of LiveMCPBench> [--first-page-characters N]
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openStdio } from './channels.mjs'
import { fieldsOf, piecesOf, readRuns } from './live-mcp-runs.mjs'
import { createHome, removeHome, start, stop } from './processes.mjs'
import { printTable } from './report.mjs'

const [folder, ...flags] = process.argv.slice(2)
const tasks = folder && readRuns(folder)
if (!tasks) {
  console.log(
    'LiveMCPBench is absent: git clone --depth 1 https://github.com/icip-cas/LiveMCPBench, then node results.mjs <folder>',
  )
  process.exit(folder ? 1 : 0)
}
const results = tasks.flatMap((task) => task.results)
const path = (name) => fileURLToPath(new URL(name, import.meta.url))

async function open(home) {
  writeFileSync(join(home, 'texts.json'), JSON.stringify(results.map(({ text }) => text)))
  const replay = {
    command: process.execPath,
    args: [path('replay-server.mjs'), join(home, 'texts.json')],
  }
  writeFileSync(
    join(home, 'mcp.json'),
    JSON.stringify({ mcpServers: { replay }, aggregator: { trust: { new: 'allow' } } }),
  )
  const args = [
    path('../../apps/aggregator-mcp/dist/main.js'),
    '--config',
    join(home, 'mcp.json'),
    '--state',
    join(home, 'state'),
    '--no-share',
    ...flags,
  ]
  const child = start({ command: process.execPath, args }, home, ['pipe', 'pipe'])
  const channel = openStdio(child)
  let id = 0
  const ask = (method, params) => channel.exchange({ jsonrpc: '2.0', id: ++id, method, params })
  await ask('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '0' },
  })
  channel.tell({ jsonrpc: '2.0', method: 'notifications/initialized' })
  const textOf = async (name, given) => {
    const { result } = await ask('tools/call', { name, arguments: given })
    return result.content.map(({ text = '' }) => text).join('\n')
  }
  return { child, textOf }
}

const home = createHome()
const { child, textOf } = await open(home)
try {
  for (const [n, result] of results.entries()) {
    const call = { module: 'replay', tool_name: 'result', params: { n, given: result.params } }
    result.first = await textOf('call', call)
    const [, next] = /^\[more: read_more\((\{.*?\})\)/m.exec(result.first) ?? []
    result.next = next ? await textOf('read_more', JSON.parse(next)) : ''
    const select = next && fieldsOf(result)
    result.selected = select ? await textOf('call', { ...call, select }) : result.first
  }
} finally {
  await stop(child)
  removeHome(home)
}

const missing = (text, { used }) => {
  const pieces = piecesOf(text)
  return used.filter((piece) => !pieces.has(piece)).length
}

/** Characters that later turns carry, and calls more; a further call is a further turn for all before it. */
function total(half, replyOf, isLacking) {
  let carried = 0
  let calls = 0
  for (const { results: all } of tasks.filter((task) => task.half === half)) {
    let before = 0
    for (const result of all) {
      const reply = replyOf(result)
      const isMore =
        reply !== result.text &&
        result.next !== '' &&
        isLacking(missing(reply, result), result.used.length)
      const length = reply.length + (isMore ? result.next.length : 0)
      if (isMore) carried += before + reply.length
      if (isMore) calls++
      carried += length * result.turns
      before += length
    }
  }
  return { carried, calls }
}

const ways = [
  ['results whole, as servers return them', ({ text }) => text],
  ['first pages', ({ first }) => first],
  ['JSON selected at the call by who knows what is used', ({ selected }) => selected],
]
for (const [half, name] of [
  [0, 'the half that first pages were chosen on'],
  [1, 'the other half'],
]) {
  const count = tasks.filter((task) => task.half === half).length
  const own = tasks.filter((task) => task.half === half).flatMap((task) => task.results)
  const native = total(half, ways[0][1], () => false).carried
  const paged = own.filter(({ next }) => next !== '')
  const used = own.reduce((sum, result) => sum + result.used.length, 0)
  const rows = ways.map(([way, replyOf]) => {
    const strict = total(half, replyOf, (lacking) => lacking > 0)
    const lenient = total(half, replyOf, (lacking, all) => lacking > all / 2)
    const lost = (textOfResult) =>
      own.reduce((sum, result) => sum + missing(textOfResult(result), result), 0)
    const share = (textOfResult) => `${(100 - (lost(textOfResult) / used) * 100).toFixed(1)} %`
    const change = ({ carried }) => `${((carried / native - 1) * 100).toFixed(1)} %`
    return [
      way,
      share(replyOf),
      share((result) =>
        replyOf(result) === result.text ? result.text : replyOf(result) + result.next,
      ),
      change(strict),
      (strict.calls / count).toFixed(2),
      change(lenient),
      (lenient.calls / count).toFixed(2),
    ]
  })
  printTable(
    `${name}: ${count} tasks, ${own.length} results, ${paged.length} in pages, ${own.filter(({ isCut }) => isCut).length} cut by the harness at 10,000 characters`,
    [
      '',
      'used later, in the reply',
      'or one named call away',
      'carried, if any piece is missed',
      'calls more a task',
      'carried, if half is missed',
      'calls more a task',
    ],
    rows,
  )
}
