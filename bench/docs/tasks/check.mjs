// Says what is wrong with the tasks: pages, fragments and answers that the manuals do not have, and
// paraphrases that use a word of the heading they ask for.
//   node check.mjs      after manuals.mjs
import { existsSync, readFileSync } from 'node:fs'
import { hasAnswer, plain } from './answers.mjs'
import { manuals, readTasks } from './manuals.mjs'

const kinds = ['paraphrase', 'issue', 'plain', 'name']
const stem = (word) => word.toLowerCase().replace(/(?:ies|es|s|ing|ed|ly|ions?)$/, '')
const stemsOf = (text) => new Set((text.match(/[\p{L}\p{N}_-]{3,}/gu) ?? []).map(stem))
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

function* faultsOf(task) {
  const { manual, kind, question, query, wordings, answer, places } = task
  if (!kinds.includes(kind)) yield `kind ${kind}`
  if (!question || !query || !answer?.length || !places?.length || wordings?.length !== 2)
    yield 'it is not whole'
  for (const { page, id, heading } of places ?? []) {
    const file = `${manuals.get(manual).root}/${page}`
    if (!existsSync(file)) {
      yield `no page ${page}`
      continue
    }
    const source = readFileSync(file, 'utf8')
    if (!hasAnswer(source, task)) yield `the answer is not in ${page}`
    const isNamed = id && new RegExp(`(?:id|name)=["']?${escaped(id)}["' >]`, 'i').test(source)
    if (id && !isNamed) yield `no ${id} in ${page}`
    const title = plain(heading.replaceAll('<', '&lt;')).trim().toLowerCase()
    if (!plain(source).toLowerCase().includes(title)) yield `no heading ${heading} in ${page}`
    const words = stemsOf(heading)
    const shared = [...stemsOf(query)].filter((word) => words.has(word))
    if (kind === 'paraphrase' && shared.length > 0) yield `shared with the heading: ${shared}`
  }
}

let faults = 0
const tasks = ['', 'last', 'fresh'].flatMap((set) => readTasks({ set }))
for (const task of tasks)
  for (const fault of faultsOf(task)) {
    console.log(`${task.id}: ${fault}`)
    faults++
  }
const counts = kinds.map((kind) => `${tasks.filter((task) => task.kind === kind).length} ${kind}`)
console.log(`${tasks.length} tasks (${counts.join(', ')}), ${faults} faults`)
process.exitCode = faults > 0 ? 1 : 0
