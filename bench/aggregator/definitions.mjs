// How many tools of sets are held for hidden text, and how many are marked for a reviewer, for what, and
// what both checks cost. After a build:
//   node definitions.mjs [folder with a folder a set]
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { hiddenIn } from '../../packages/aggregator/dist/scan/hidden.js'
import { reviewSentences } from '../../packages/aggregator/dist/scan/review-sentences.js'
import { toolSets } from '../scorer/sets.mjs'

const usual = fileURLToPath(new URL('../../../shared/data/retrieval', import.meta.url))
const folder = process.argv[2] ?? usual
if (!existsSync(folder)) {
  console.error(`no sets in ${folder}: node definitions.mjs <folder with a folder a set>`)
  process.exit(1)
}
console.log('| set | tools | held | marked | µs a tool | held for |\n|---|---|---|---|---|---|')
for (const { name, items } of toolSets(folder)) {
  const definitions = items.map(({ name: tool, description, inputSchema }) => ({
    name: tool,
    description,
    inputSchema,
  }))
  const before = process.cpuUsage()
  const found = definitions.map(hiddenIn)
  const marked = definitions.filter((definition) =>
    reviewSentences(definition).some(({ isMarked }) => isMarked),
  )
  const { user, system } = process.cpuUsage(before)
  const held = found.filter((findings) => findings.length > 0)
  const micros = ((user + system) / items.length).toFixed(0)
  console.log(
    `| ${name} | ${items.length} | ${held.length} | ${marked.length} | ${micros} | ${held.flat().join('; ')} |`,
  )
}
