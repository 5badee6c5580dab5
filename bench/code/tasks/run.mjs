// Run the tasks of tasks.json on checkouts of its repositories, and print what each way costs:
//   node run.mjs --repos FOLDER [--only WAY|KIND|ID]... [--last] [--each]
// How each way acts is in ways.mjs, how it is judged in judges.mjs.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { tokensOf } from '../client.mjs'
import { judges } from './judges.mjs'
import { ways } from './ways.mjs'

const { values } = parseArgs({
  options: {
    repos: { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
    last: { type: 'boolean' },
    each: { type: 'boolean' },
  },
})
const { repositories, tasks } = JSON.parse(
  readFileSync(new URL('tasks.json', import.meta.url), 'utf8'),
)
const only = (names, name) =>
  !values.only.some((filter) => names.includes(filter)) || values.only.includes(name)
const kinds = [...new Set(tasks.map(({ kind }) => kind))]
const tasksOfRun = tasks.filter(
  ({ kind, split, id }) =>
    split === (values.last ? 'last' : 'open') &&
    only(kinds, kind) &&
    only(
      tasks.map((task) => task.id),
      id,
    ),
)
const rows = []
for (const repo of Object.keys(repositories)) {
  const root = resolve(values.repos, repo)
  const tasksOfRepo = tasksOfRun.filter((task) => task.repo === repo)
  for (const [way, driver] of Object.entries(ways).filter(
    ([name]) => tasksOfRepo.length > 0 && only(Object.keys(ways), name),
  )) {
    const server = await driver.open(root)
    for (const task of tasksOfRepo)
      rows.push({ way, task, ...(await perform(driver, server, task, root)) })
    await server.close()
  }
}

async function perform(driver, server, task, root) {
  const replies = []
  let calls = 0
  let tokens = 0
  const judge = driver.judge ?? ((kind, ...rest) => judges[kind](...rest))
  const isDone = () => replies.length > 0 && judge(task.kind, replies, task.answer, root, task)
  const ask = async (tool, args) => {
    calls++
    const reply = await Promise.resolve(server.call(tool, args)).catch((error) => error.message)
    tokens += tokensOf(reply)
    replies.push(reply)
    return reply
  }
  const start = performance.now()
  const failure = await driver[task.kind](task, { ask, isDone, replies, root, server }).catch(
    ({ message }) => message,
  )
  const row = { calls, tokens, ms: performance.now() - start, isRight: isDone(), failure }
  if (values.each)
    console.log(
      `${row.isRight ? 'right' : 'WRONG'} ${task.id} ${task.repo} ${task.name}: ${calls} calls, ${tokens} tokens ${failure ?? ''}`,
    )
  return row
}

const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1]
const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length
console.log(
  '| kind | way | right | calls | tokens, mean | median | ms, median |\n| - | - | - | - | - | - | - |',
)
for (const kind of [...kinds, 'all'])
  for (const way of Object.keys(ways)) {
    const rowsOfWay = rows.filter(
      (row) => row.way === way && (kind === 'all' || row.task.kind === kind),
    )
    const of = (field) => rowsOfWay.map((row) => row[field])
    if (rowsOfWay.length > 0)
      console.log(
        `| ${kind} | ${way} | ${rowsOfWay.filter(({ isRight }) => isRight).length}/${rowsOfWay.length} | ${mean(of('calls')).toFixed(1)} | ${Math.round(mean(of('tokens')))} | ${median(of('tokens'))} | ${median(of('ms')).toFixed(0)} |`,
      )
  }
for (const way of Object.keys(ways)) {
  const small = rows.filter(
    (row) => row.way === way && row.isRight && row.task.kind.startsWith('small'),
  )
  const ratios = small.flatMap(({ task, tokens }) =>
    rows.filter((row) => row.way === 'rg' && row.task === task).map((row) => tokens / row.tokens),
  )
  if (ratios.length > 0 && way !== 'rg')
    console.log(
      `${way}: tokens of right answers to small questions ÷ those of rg: median ${median(ratios).toFixed(2)}, worst ${Math.max(...ratios).toFixed(2)}`,
    )
}
