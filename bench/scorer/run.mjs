// How well tools and sections are found, beside other libraries, on sets that a folder holds (the
// README says which), in one run.
//   node run.mjs <folder> [queries a set, 150] [name …]
import { average, measure } from './measures.mjs'
import { maxItems, peers } from './peers.mjs'
import { sectionSets, toolSets } from './sets.mjs'

const [folder, most = '150', ...chosen] = process.argv.slice(2)
if (!folder) {
  console.error('node run.mjs <folder with a folder a set> [queries a set] [name …]')
  process.exit(1)
}
const names = chosen.length > 0 ? chosen : Object.keys(peers)
const some = (queries) => {
  const step = Math.ceil(queries.length / Number(most))
  return queries.filter((_, at) => at % step === 0)
}
const percent = (share) => (100 * share).toFixed(1)

async function timed(work) {
  const started = performance.now()
  return { result: await work(), time: performance.now() - started }
}

console.log(
  '| tools | library | nDCG@10 | first is right | R@5 | R@10 | index ms | query ms |\n|---|---|---|---|---|---|---|---|',
)
for (const { name: set, items, queries } of toolSets(folder)) {
  if (!queries) continue
  for (const name of names) {
    if (items.length > (maxItems[name] ?? Infinity)) continue
    const { result: find, time: built } = await timed(() => peers[name](items, 'tools'))
    const asked = some(queries)
    for (const { query } of asked.slice(0, 20)) await find(query, 10)
    const { result: results, time } = await timed(async () => {
      const all = []
      for (const { query, gold, groups } of asked)
        all.push(measure(await find(query, 10), groups ?? gold.map((id) => [id])))
      return all
    })
    const { ndcg, hit, r5, r10 } = average(results)
    console.log(
      `| ${set}, ${items.length} | ${name} | ${[ndcg, hit, r5, r10].map(percent).join(' | ')} | ${built.toFixed(0)} | ${(time / asked.length).toFixed(2)} |`,
    )
  }
}

console.log(
  '\n| sections | library | right in its page | in the first five of all | query ms |\n|---|---|---|---|---|',
)
for (const { name: set, items, queries } of sectionSets(folder)) {
  const pageOf = new Map(items.map(({ id, page }) => [id, page]))
  for (const name of names) {
    if (items.length > (maxItems[name] ?? Infinity)) continue
    const findAll = await peers[name](items, 'sections')
    const inPage = new Map()
    let first = 0
    let five = 0
    let time = 0
    const asked = some(queries)
    for (const { query, gold } of asked) {
      const page = pageOf.get(gold[0])
      if (!inPage.has(page))
        inPage.set(
          page,
          await peers[name](
            items.filter((item) => item.page === page),
            'sections',
          ),
        )
      const { result, time: taken } = await timed(() => findAll(query, 5))
      time += taken
      if (result.some((id) => gold.includes(id))) five++
      const [top] = await inPage.get(page)(query, 1)
      if (gold.includes(top)) first++
    }
    console.log(
      `| ${set}, ${items.length} | ${name} | ${percent(first / asked.length)} | ${percent(five / asked.length)} | ${(time / asked.length).toFixed(2)} |`,
    )
  }
}
