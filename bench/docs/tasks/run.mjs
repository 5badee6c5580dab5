// Questions with a known answer, asked as an agent asks them: search, then read the sections of the
// first three hits until the answer is there, at most six calls. Beside it: reading the right page
// whole, grep, MiniSearch and FTS5 over the same sections.
//   node run.mjs [--last | --fresh] [--only MANUAL,…] [--each] [--pith] [--cold]
// --last takes the manuals that are kept for the end, --fresh eight that nothing was tuned on, --pith leaves out the others, and --each prints
// what failed, --cold asks before all pages are indexed.
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { connect, nextCall } from '../client.mjs'
import { hasAnswer, judge, recordsOf, textsOf } from './answers.mjs'
import { manuals, readTasks } from './manuals.mjs'
import { fts5, grepFlow, miniSearch, pageFlow, searchFlow } from './peers.mjs'

const has = (flag) => process.argv.includes(flag)
const only = process.argv[process.argv.indexOf('--only') + 1]
const set = has('--last') ? 'last' : has('--fresh') ? 'fresh' : ''
const tasks = readTasks({ set, ...(has('--only') && { only: only.split(',') }) })
const maxCalls = 6

/** What an agent does with docs-mcp: `find` reads with search_in_doc, else get_doc_section. */
async function pithFlow(server, { manual, query, ...task }, find = false) {
  const replies = []
  const start = performance.now()
  const ask = async (name, args) => {
    const { text } = await server.call(name, args)
    replies.push(text)
    return hasAnswer(text, task) || replies.length >= maxCalls
  }
  const { text, data } = await server.call('search_docs', { query })
  const ms = performance.now() - start
  replies.push(text)
  const hits = data.results.map(({ url }) => url)
  let isDone = hasAnswer(text, task)
  for (const url of hits.slice(0, 3)) {
    if (isDone) break
    if (find) {
      isDone = await ask('search_in_doc', { url: url.split('#')[0], query })
      continue
    }
    isDone = await ask('get_doc_section', { url })
    const reply = replies.at(-1)
    if (!isDone && /\[code\b/.test(reply))
      isDone = await ask('get_doc_section', { url, include_code_blocks: true })
    const next = isDone ? undefined : nextCall(reply, 'get_doc_section')
    if (next) isDone = await ask('get_doc_section', next)
  }
  return { replies, hits, ms }
}

/** Search, with the frozen wordings or without, and then the call that the reply names. */
async function nextFlow(server, { manual, query, wordings, ...task }, withWordings = false) {
  const args = withWordings ? { queries: [query, ...wordings] } : { query }
  const start = performance.now()
  const { text, data } = await server.call('search_docs', args)
  const ms = performance.now() - start
  const replies = [text]
  const next = nextCall(text, 'get_doc_section')
  if (next && !hasAnswer(text, task))
    replies.push((await server.call('get_doc_section', next)).text)
  return { replies, hits: data.results.map(({ url }) => url), ms }
}

const results = []
function note(flow, task, { replies, hits, ms }, texts) {
  const judged = hits.map((url) => judge(task, url, texts))
  const first = (key, count) => judged.slice(0, count).some((hit) => hit[key])
  results.push({
    flow,
    task,
    isAnswered:
      replies.some((reply) => hasAnswer(reply, task)) || hasAnswer(replies.join('\n'), task),
    isFirst: hasAnswer(replies[0], task),
    calls: replies.length,
    firstTokens: encode(replies[0]).length,
    tokens: replies.reduce((sum, reply) => sum + encode(reply).length, 0),
    ms,
    hits,
    page1: first('page', 1),
    page5: first('page', 5),
    section1: first('section', 1),
    section5: first('section', 5),
  })
}

/** Until every page is indexed: the first search of a folder replies before. */
async function indexed(server, query, { text }) {
  if (/still to be indexed/.test(text))
    await indexed(server, query, await server.call('search_docs', { query }))
}

const firsts = []
for (const manual of manuals.values()) {
  const own = tasks.filter((task) => task.manual === manual.name)
  if (own.length === 0) continue
  const records = recordsOf(manual)
  const texts = textsOf(records)
  const server = await connect([manual.root])
  const start = performance.now()
  const first = await server.call('search_docs', { query: own[0].query })
  firsts.push({ manual: manual.name, ms: performance.now() - start })
  if (!has('--cold')) await indexed(server, own[0].query, first)
  for (const task of own) {
    note('docs-mcp: search, its next call', task, await nextFlow(server, task), texts)
    note('docs-mcp: wordings, next call', task, await nextFlow(server, task, true), texts)
    note('docs-mcp: search, sections', task, await pithFlow(server, task), texts)
    note('docs-mcp: search, search_in_doc', task, await pithFlow(server, task, true), texts)
  }
  await server.close()
  if (has('--pith')) continue
  const peers = { 'MiniSearch, tuned': miniSearch(records), FTS5: await fts5(records) }
  for (const task of own) {
    for (const [name, search] of Object.entries(peers))
      note(name, task, searchFlow(search, task), texts)
    note('grep', task, grepFlow(manual, task), texts)
    note('the right page, read whole', task, pageFlow(manual, task), texts)
  }
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / (values.length || 1)
const percentile = (values, share) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))]
const percent = (own, key) => (100 * mean(own.map((one) => Number(one[key])))).toFixed(1)
const table = (head, rows) => {
  console.log(`\n| ${head.join(' | ')} |\n|${'---|'.repeat(head.length)}`)
  for (const row of rows) console.log(`| ${row.join(' | ')} |`)
}
const flows = [...new Set(results.map(({ flow }) => flow))]
const ofFlow = (flow) => results.filter((result) => result.flow === flow)
const isSearch = (flow) => flow !== 'grep' && !flow.startsWith('the right')

table(
  [
    'flow',
    'tasks',
    'first reply %',
    'answered %',
    'with the page in five %',
    'calls',
    'tokens',
    'of the first reply',
    'page@1',
    'page@5',
    'section@1',
    'section@5',
  ],
  flows.map((flow) => {
    const own = ofFlow(flow)
    const ranks = ['page1', 'page5', 'section1', 'section5'].map((key) =>
      isSearch(flow) ? percent(own, key) : '',
    )
    return [
      flow,
      own.length,
      percent(own, 'isFirst'),
      percent(own, 'isAnswered'),
      isSearch(flow)
        ? percent(
            own.filter(({ page5 }) => page5),
            'isAnswered',
          )
        : '',
      mean(own.map(({ calls }) => calls)).toFixed(2),
      mean(own.map(({ tokens }) => tokens)).toFixed(0),
      mean(own.map(({ firstTokens }) => firstTokens)).toFixed(0),
      ...ranks,
    ]
  }),
)
for (const key of ['kind', 'manual']) {
  const values = [...new Set(tasks.map((task) => task[key]))]
  table(
    [`answered %, section@5 by ${key}`, ...values],
    flows.map((flow) => [
      flow,
      ...values.map((value) => {
        const own = ofFlow(flow).filter(({ task }) => task[key] === value)
        return `${percent(own, 'isAnswered')}${isSearch(flow) ? `, ${percent(own, 'section5')}` : ''}`
      }),
    ]),
  )
}
const warm = results.flatMap(({ ms }) => ms ?? [])
console.log(
  `\nFirst reply, ms: ${firsts.map(({ manual, ms }) => `${manual} ${ms.toFixed(0)}`).join(', ')}`,
)
console.log(
  `Warm search, ms: p50 ${percentile(warm, 0.5).toFixed(1)}, p90 ${percentile(warm, 0.9).toFixed(1)}`,
)
if (has('--each'))
  for (const { flow, task, isAnswered, hits, section5 } of results)
    if (flow === flows[0] && !(isAnswered && section5))
      console.log(
        `\n${task.id} ${task.kind} “${task.query}” ${isAnswered ? 'answered' : 'NOT answered'}\n  right: ${task.places.map(({ page, id = '' }) => `${page}#${id}`).join(', ')}\n  found: ${hits.join(', ')}`,
      )
