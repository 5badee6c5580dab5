// How many tools of sets would be held for what their definitions say, for what, and what the check
// costs. After a build:
//   node definitions.mjs [folder with a folder a set]
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findingsIn } from '../../packages/aggregator/dist/scan/findings.js'
import { toolSets } from '../scorer/sets.mjs'

const usual = fileURLToPath(new URL('../../../shared/data/retrieval', import.meta.url))
const folder = process.argv[2] ?? usual
if (!existsSync(folder)) {
  console.error(`no sets in ${folder}: node definitions.mjs <folder with a folder a set>`)
  process.exit(1)
}
console.log('| set | tools | held | µs a tool | for |\n|---|---|---|---|---|')
for (const { name, items } of toolSets(folder)) {
  const definitions = items.map(({ name: tool, description, inputSchema }) => ({
    name: tool,
    description,
    inputSchema,
  }))
  const before = process.cpuUsage()
  const found = definitions.map(findingsIn)
  const { user, system } = process.cpuUsage(before)
  const held = found.filter((findings) => findings.length > 0)
  const micros = ((user + system) / items.length).toFixed(0)
  console.log(
    `| ${name} | ${items.length} | ${held.length} | ${micros} | ${held.flat().join('; ')} |`,
  )
}
