// How many tools of sets would be held for what their definitions say, and for what.
//   node findings.mjs <folder with a folder a set>
import { findingsIn } from '../../packages/aggregator/dist/scan/findings.js'
import { toolSets } from '../scorer/sets.mjs'

const [folder] = process.argv.slice(2)
if (!folder) {
  console.error('node findings.mjs <folder with a folder a set>')
  process.exit(1)
}
console.log('| set | tools | held | for |\n|---|---|---|---|')
for (const { name, items } of toolSets(folder)) {
  const found = items.map(({ name: tool, description, inputSchema }) =>
    findingsIn({ name: tool, description, inputSchema }),
  )
  const held = found.filter((findings) => findings.length > 0)
  console.log(`| ${name} | ${items.length} | ${held.length} | ${held.flat().join('; ')} |`)
}
