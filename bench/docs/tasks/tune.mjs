// The weights of the section ranker, left out by manual: for each manual, the setting that is best on
// the others, measured on this one. Beside it, the setting in use, and how often the first section is
// right by its lead over the second. The manuals that are kept for the end only with --all.
//   node tune.mjs [--all]      after manuals.mjs
import { rankIndex } from '../../../packages/docs/dist/search/rank-index.js'
import { judge, recordsOf, textsOf } from './answers.mjs'
import { indexOf } from './index-of.mjs'
import { manuals, readTasks } from './manuals.mjs'

const grid = {
  queryCoverage: [0.2, 0.8],
  title: [0, 0.15, 0.6],
  proximity: [0, 0.15, 0.6],
  adjacency: [0, 0.4, 1.2],
  synonym: [0, 0.4],
  saturation: [0.8, 1.8],
}
const isAll = process.argv.includes('--all')
const tasks = [...readTasks(), ...(isAll ? readTasks({ set: 'last' }) : [])]

const sets = []
for (const manual of manuals.values()) {
  const own = tasks.filter((task) => task.manual === manual.name)
  if (own.length === 0) continue
  const records = recordsOf(manual)
  sets.push({ index: await indexOf(manual, records), texts: textsOf(records), own })
}

/** Sections of a page that count as named. */
const maxNamed = 4
const leads = []
async function measure(tuning, noteLeads = false) {
  const rows = []
  for (const { index, texts, own } of sets) {
    const row = { section1: 0, section5: 0, named: 0, page5: 0, reciprocal: 0 }
    for (const task of own) {
      const { hits, lead } = await rankIndex([{ name: '', index }], [task.query], { tuning })
      const judged = hits.map(({ url }) => judge(task, url, texts))
      const at = judged.findIndex(({ section }) => section)
      const isNear = hits.some(({ url, matching }) =>
        matching
          .slice(0, maxNamed)
          .some(({ id }) => judge(task, `${url.split('#')[0]}#${id}`, texts).section),
      )
      row.section1 += at === 0 ? 1 : 0
      row.section5 += at >= 0 ? 1 : 0
      row.named += at >= 0 || isNear ? 1 : 0
      row.page5 += judged.some(({ page }) => page) ? 1 : 0
      row.reciprocal += at >= 0 ? 1 / (at + 1) : 0
      if (noteLeads) leads.push({ lead, isRight: at === 0 })
    }
    for (const key of Object.keys(row)) row[key] /= own.length
    rows.push(row)
  }
  return rows
}

const keys = ['section1', 'section5', 'named', 'page5', 'reciprocal']
const mean = (rows, key) => rows.reduce((sum, row) => sum + row[key], 0) / rows.length
const worth = ({ reciprocal, named, page5 }) => reciprocal + named / 2 + page5 / 4
const print = (name, rows) =>
  console.log(`| ${name} | ${keys.map((key) => (100 * mean(rows, key)).toFixed(1)).join(' | ')} |`)

const used = await measure(undefined, true)
const tried = [used]
for (const [key, values] of Object.entries(grid))
  for (const value of values) tried.push(await measure({ [key]: value }))
const leftOut = sets.map((_, own) => {
  const worthOf = (rows) => rows.reduce((sum, row, at) => sum + (at === own ? 0 : worth(row)), 0)
  return tried.reduce((best, rows) => (worthOf(rows) > worthOf(best) ? rows : best))[own]
})
console.log(
  `| setting | section@1 | section@5 | section named | page@5 | MRR |\n|---|---|---|---|---|---|`,
)
print('in use', used)
print('left out', leftOut)
console.log('\n| lead of the first section | questions | right % |\n|---|---|---|')
for (const least of [1, 1.2, 1.5, 2, 3]) {
  const own = leads.filter(({ lead }) => lead >= least)
  const right = own.filter(({ isRight }) => isRight).length
  console.log(`| ≥ ${least} | ${own.length} | ${((100 * right) / own.length).toFixed(0)} |`)
}
process.exit()
