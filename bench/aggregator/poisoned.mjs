// Where the sentences that poison a description stand in its review: MCPSafety, whose tasks have the
// modified description of a tool. A sentence that no other task has for this tool counts as poison, and
// the longest of them as the decisive one. After a build:
//   node poisoned.mjs <checkout of MCPSafety>
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hiddenIn } from '../../packages/aggregator/dist/scan/hidden.js'
import { reviewSentences } from '../../packages/aggregator/dist/scan/review-sentences.js'

const [checkout = ''] = process.argv.slice(2)
const folder = join(checkout, 'mcpuniverse/benchmark/configs/test')
if (!existsSync(folder)) {
  console.error(`no tasks in ${folder}: node poisoned.mjs <checkout of MCPSafety>`)
  process.exit(1)
}
/** Sentences of a review that are shown first. */
const shown = 5
const definitions = readdirSync(folder, { recursive: true })
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) => {
    const task = JSON.parse(readFileSync(join(folder, name), 'utf8'))
    return (task.mcp_server_modifications ?? []).flatMap((change) =>
      typeof change.modification_description === 'string'
        ? [{ name: change.tool_name, description: change.modification_description }]
        : [],
    )
  })
const sentencesOf = (definition) => reviewSentences(definition).map(({ text }) => text)
const counts = new Map()
for (const definition of definitions)
  for (const text of new Set(sentencesOf(definition))) {
    const key = `${definition.name}\0${text}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
let judged = 0
let first = 0
let marked = 0
let long = 0
for (const definition of definitions) {
  const sentences = reviewSentences(definition)
  const poison = sentences.filter(
    ({ text }) => counts.get(`${definition.name}\0${text}`) === 1 && !text.startsWith('Args:'),
  )
  const decisive = poison.toSorted((a, b) => b.text.length - a.text.length)[0]
  if (decisive === undefined) continue
  judged++
  if (sentences.length > shown) long++
  if (sentences.indexOf(decisive) < shown) first++
  if (poison.some(({ isMarked }) => isMarked)) marked++
}
console.log(`Descriptions: ${definitions.length}; with a sentence of their own: ${judged}.`)
console.log(`Its decisive sentence is among the first ${shown} of the review: ${first}.`)
console.log(`More than ${shown} sentences: ${long}.`)
console.log(`A sentence of its own is marked: ${marked}.`)
console.log(`Held for hidden text: ${definitions.filter((it) => hiddenIn(it).length > 0).length}.`)
