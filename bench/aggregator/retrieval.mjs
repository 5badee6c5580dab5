// How well the real search_tools finds tools, on sets that a folder holds (see bench/README.md), with
// the servers of a set behind one aggregator; and how long it takes.
//   node retrieval.mjs <folder> [queries a set, all]
import { average, measure } from '../scorer/measures.mjs'
import { toolSets } from '../scorer/sets.mjs'
import { openSet } from './open-set.mjs'

const [folder, most = 'Infinity'] = process.argv.slice(2)
if (!folder) {
  console.error('node retrieval.mjs <folder with a folder a set> [queries a set]')
  process.exit(1)
}

const percent = (share) => (100 * share).toFixed(1)
const median = (times) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)]

console.log(
  '| set, tools | queries | nDCG@10 | first is right | R@5 | R@10 | p50 ms |\n|---|---|---|---|---|---|---|',
)
for (const { name: set, items, queries } of toolSets(folder)) {
  if (!queries) continue
  const { find, close } = await openSet(items)
  const step = Math.max(1, Math.ceil(queries.length / Number(most)))
  const asked = queries.filter((_, at) => at % step === 0)
  const results = []
  const times = []
  for (const { query, gold, groups } of asked) {
    const started = performance.now()
    const found = await find(query, 10)
    times.push(performance.now() - started)
    results.push(measure(found, groups ?? gold.map((id) => [id])))
  }
  const { ndcg, hit, r5, r10 } = average(results)
  console.log(
    `| ${set}, ${items.length} | ${asked.length} | ${[ndcg, hit, r5, r10].map(percent).join(' | ')} | ${median(times).toFixed(2)} |`,
  )
  await close()
}
process.exit()
