// What each way to list the tools of many servers costs a model, and what it finds: at 30, 120, 400
// and 2,000 tools of real servers, for clients that search tools themselves and for those that do not.
//   node modes.mjs <folder of the sets>
import { synonymsOf } from '@pith-mcp/scorer'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { toolSets } from '../scorer/sets.mjs'
import { bm25, textOf, words } from './bm25.mjs'
import { openSet } from './open-set.mjs'

const sizes = [30, 120, 400, 2_000]
const seeds = [1, 2, 3]
/** The set with queries, and one of further tools for the larger sizes. */
const [asked, others] = ['livemcp_agentq_dev', 'toucan_tools']
const limit = 5

const [folder] = process.argv.slice(2)
if (!folder) {
  console.error('node modes.mjs <folder with a folder a set>')
  process.exit(1)
}

const tokens = (value) => encode(typeof value === 'string' ? value : JSON.stringify(value)).length
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length

/** mulberry32: the same sample for the same seed. */
function random(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}

function shuffled(items, next) {
  const all = [...items]
  for (let at = all.length - 1; at > 0; at--) {
    const other = Math.floor(next() * (at + 1))
    ;[all[at], all[other]] = [all[other], all[at]]
  }
  return all
}

/** Queries whose tools take half of the sample, filled with tools of other servers. */
function sample(sets, size, seed) {
  const next = random(seed)
  const { items, queries } = sets.find(({ name }) => name === asked)
  const byId = new Map(items.map((item) => [item.id, item]))
  const chosen = new Map()
  const kept = []
  for (const query of shuffled(queries, next)) {
    const wanted = query.gold.map((id) => byId.get(id)).filter(Boolean)
    if (wanted.length < query.gold.length || chosen.size + wanted.length > size / 2) continue
    for (const item of wanted) chosen.set(item.id, item)
    kept.push(query)
  }
  const rest = sets.find(({ name }) => name === others).items
  for (const item of [...shuffled(items, next), ...shuffled(rest, next)]) {
    if (chosen.size === size) break
    chosen.set(item.id, item)
  }
  return { tools: shuffled(chosen.values(), next), queries: kept }
}

/** A pattern of the words of four letters or more: how many of them each tool matches. */
function byPattern(tools) {
  const texts = tools.map(textOf)
  return (query) => {
    const patterns = [...new Set(words(query))]
      .filter((word) => word.length >= 4)
      .map((word) => new RegExp(word, 'i'))
    return texts.map((text) => patterns.filter((pattern) => pattern.test(text)).length)
  }
}

const best = (items, scores) =>
  items
    .map((item, at) => ({ item, score: scores[at] }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ item }) => item)

const recall = (found, { gold, groups }) => {
  const wanted = groups ?? gold.map((id) => [id])
  return wanted.filter((group) => group.some((id) => found.includes(id))).length / wanted.length
}

/** Tools with the synonyms of their names, as a hint for searches would have them. */
const hinted = (tools) =>
  tools.map((tool) => {
    const own = words(tool.name)
    const hint = own.flatMap((word) => [...synonymsOf(word).keys()])
    return { ...tool, title: [tool.title, ...new Set(hint)].join(' ') }
  })

async function measure({ tools, queries }) {
  const { aggregator, ids, close } = await openSet(tools)
  const list = async (mode) => {
    const pages = []
    let cursor
    do {
      const page = await aggregator.request(
        { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
        { mode },
      )
      pages.push(...page.tools)
      cursor = page.nextCursor
    } while (cursor !== undefined)
    return pages
  }
  const call = async (name, args) => {
    const params = { name, arguments: args }
    const { content } = await aggregator.request({ method: 'tools/call', params })
    return { text: content[0].text, cost: tokens(args) + tokens(content[0].text) }
  }
  const [meta, short, full] = [await list('meta'), await list('list'), await list('full')]
  const byId = new Map(tools.map((tool) => [tool.id, tool]))
  // As `full` lists them, before names are cut.
  const definitions = [...ids].map(([key, id]) => {
    const { title, description, inputSchema } = byId.get(id)
    return {
      id,
      key,
      definition: { name: key.replace('.', '__'), title, description, inputSchema },
    }
  })

  const ours = []
  for (const query of queries) {
    const { text, cost } = await call('search_tools', { query: query.query, limit })
    const found = text
      .split('\n')
      .map((line) => ids.get(/^(.+?)\(/.exec(line)?.[1]))
      .filter(Boolean)
    ours.push({ cost, recall: recall(found, query) })
  }
  const schemas = []
  for (const { key } of definitions.filter((_, at) => at % Math.ceil(ids.size / 30) === 0)) {
    const { cost } = await call('get_module_schema', { tools: [key] })
    schemas.push(cost)
  }
  const searched = (scoresOf) =>
    queries.map((query) => {
      const found = best(definitions, scoresOf(query.query))
      return {
        cost: tokens(query.query) + tokens(found.map(({ definition }) => definition)),
        recall: recall(
          found.map(({ id }) => id),
          query,
        ),
      }
    })
  await close()
  const row = (name, start, lookups, trips) => ({
    name,
    start,
    ten: start + 10 * mean(lookups.map(({ cost }) => cost)),
    trips,
    recall: lookups[0].recall === undefined ? undefined : mean(lookups.map((one) => one.recall)),
  })
  const own = definitions.map(({ definition }) => definition)
  const names = tokens(full.map(({ name }) => name).join('\n'))
  return [
    row('`meta`, search_tools', tokens(meta), ours, 2),
    row(
      '`list`, get_module_schema',
      tokens(short),
      schemas.map((cost) => ({ cost })),
      2,
    ),
    row('`full`, client without a search', tokens(full), [{ cost: 0 }], 1),
    row('`full`, client with BM25', names, searched(bm25(own)), 2),
    row('… with synonyms as hints', names, searched(bm25(hinted(own))), 2),
    row('`full`, client with a pattern', names, searched(byPattern(own)), 2),
    row('… with synonyms as hints', names, searched(byPattern(hinted(own))), 2),
  ]
}

const sets = toolSets(folder)
const shown = (value) => Math.round(value).toLocaleString('en')
console.log(
  '| tools | mode, client | tokens at start | and for ten calls | requests a call | R@5 |\n|---|---|---|---|---|---|',
)
for (const size of sizes) {
  const runs = []
  for (const seed of seeds) runs.push(await measure(sample(sets, size, seed)))
  for (const [at, { name, trips, recall: found }] of runs[0].entries()) {
    const over = (key) => mean(runs.map((rows) => rows[at][key]))
    const share = found === undefined ? '–' : (100 * over('recall')).toFixed(1)
    console.log(
      `| ${shown(size)} | ${name} | ${shown(over('start'))} | ${shown(over('ten'))} | ${trips} | ${share} |`,
    )
  }
}
process.exit()
