// 40 questions of programmers about packages that projects have installed, answered with docs-mcp and by
// reading the files of the package.
//   node installed-questions.mjs FOLDER [--each]      FOLDER: what public-projects.mjs installed into
// - docs-mcp: search_docs in the package with the words of the question; then at most two calls, each as
//   the reply says: the search again, the call of its last line, or the first section not shown whole;
// - reading: the lines with the rarest word that its *.md and *.d.ts have, as `rg -n -i` prints them; then
//   at most two times 40 lines around the hit with the most words of the question near it. That a word
//   has no hit costs it no call, which favours it.
// The questions were written from the files, before docs-mcp was asked. Replies answer if they have all
// patterns together; if there is no answer, the first reply must say which word the package lacks.
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { connect, nextCall } from './client.mjs'
import { stopWords } from './stop-words.mjs'
import { hasAnswer } from './tasks/answers.mjs'

const maxCalls = 3
const maxHits = 100
const maxLine = 300
const linesRead = 40

const [target, ...flags] = process.argv.slice(2)
if (target === undefined) throw new Error('Name the folder of public-projects.mjs.')
const questions = JSON.parse(readFileSync(join(import.meta.dirname, 'installed-questions.json')))

/** Comments of declarations have a star before each line, which is in the way of a pattern. */
const answers = (replies, question) =>
  hasAnswer(replies.join('\n').replaceAll(/^\s*\* ?/gm, ''), question)

/** The replies of docs-mcp, until they have the answer. */
async function ask(server, question) {
  const search = ['search_docs', { source: question.package, query: question.query }]
  const first = await server.call(...search)
  const replies = [first.text]
  const read = new Set()
  while (question.kind !== 'absent' && replies.length < maxCalls && !answers(replies, question)) {
    const reply = replies.at(-1)
    const sectionCall = nextCall(reply, 'get_doc_section')
    const repeated = reply.includes('repeat the search') ? search : undefined
    const next =
      repeated ?? (sectionCall ? ['get_doc_section', sectionCall] : firstCut(first.data, read))
    if (next === undefined) break
    read.add(next[1].section)
    const args = next === search ? next[1] : { ...next[1], include_code_blocks: true }
    replies.push((await server.call(next[0], args)).text)
  }
  return replies
}

function firstCut({ results = [] } = {}, read) {
  for (const { url, sections = [] } of results)
    for (const { id, shown } of sections)
      if (shown !== 'whole' && !read.has(id))
        return ['get_doc_section', { url: url.split('#')[0], section: id }]
}

/** What someone sees who searches the files for a word and reads around its hits. */
function readFiles(folder, question) {
  const { package: name, query, kind } = question
  const lines = [name, `@types/${name}`].flatMap((each) => linesOf(`${folder}/node_modules`, each))
  const words = query.toLowerCase().match(/[\p{L}\d.]{2,}/gu)
  const [hits = []] = words
    .filter((word) => !stopWords.includes(word))
    .map((word) => lines.filter(({ text }) => text.toLowerCase().includes(word)))
    .filter((all) => kind === 'absent' || all.length > 0)
    .sort((a, b) => a.length - b.length)
  const printed = hits.slice(0, maxHits)
  const around = ({ path, at }) =>
    lines.filter((line) => line.path === path && Math.abs(line.at - at) <= linesRead / 2)
  const replies = [printed.map(({ path, at, text }) => `${path}:${at}:${text}`).join('\n')]
  const wordsNear = (hit) => {
    const near = textOf(around(hit)).toLowerCase()
    return words.filter((word) => near.includes(word)).length
  }
  const ranked = printed.map((hit) => ({ hit, near: wordsNear(hit) }))
  const read = new Set()
  for (const { hit } of ranked.sort((a, b) => b.near - a.near)) {
    if (kind === 'absent' || replies.length >= maxCalls || answers(replies, question)) break
    if (read.has(hit)) continue
    for (const line of around(hit)) read.add(line)
    replies.push(textOf(around(hit)))
  }
  return replies
}

const textOf = (lines) => lines.map(({ text }) => text).join('\n')

/** README first. */
function linesOf(modules, name) {
  if (!existsSync(join(modules, name))) return []
  const root = realpathSync(join(modules, name))
  const place = (path) => `${/^readme/i.test(path) ? 0 : 1}${path}`
  return readdirSync(root, { recursive: true })
    .filter((path) => /\.(?:md|d\.[cm]?ts)$/i.test(path) && !/\bnode_modules\b/.test(path))
    .sort((a, b) => (place(a) < place(b) ? -1 : 1))
    .flatMap((path) => {
      const lines = readFileSync(join(root, path), 'utf8').split('\n')
      return lines.map((text, at) => ({ path, at: at + 1, text: text.slice(0, maxLine) }))
    })
}

const rows = []
for (const project of new Set(questions.map((question) => question.project))) {
  const folder = resolve(target, project)
  const server = await connect([], folder)
  for (const question of questions.filter((each) => each.project === project)) {
    const pith = await ask(server, question)
    const reading = readFiles(folder, question)
    const isSilent = question.kind === 'absent' && reading[0] === ''
    rows.push({
      kind: question.kind,
      'docs-mcp': costOf(pith, answers(pith, question)),
      reading: costOf(reading, isSilent || answers(reading, question)),
    })
    if (flags.includes('--each')) explain(question, pith, rows.at(-1))
  }
  await server.close()
}

function costOf(replies, isRight) {
  const tokens = replies.reduce((sum, text) => sum + encode(text).length, 0)
  return { isRight, calls: replies.length, tokens }
}

function explain(question, replies, { kind, ...ways }) {
  const verdicts = Object.entries(ways).map(
    ([way, { isRight, calls, tokens }]) => `${way} ${isRight ? 'yes' : 'NO'} ${calls} ${tokens}`,
  )
  console.log(`${question.package}, ${kind}: ${question.query}: ${verdicts.join('; ')}`)
  if (ways['docs-mcp'].isRight) return
  const lacking = question.answer.filter((pattern) => !answers(replies, { answer: [pattern] }))
  console.log(`  no reply has ${lacking.map((pattern) => `/${pattern}/`).join(', ')}; the first:`)
  for (const line of replies[0].split('\n'))
    if (/^(?:\*\*.*\*\*$|\[.*\]|No |#\S+ )/.test(line)) console.log(`    ${line.slice(0, 160)}`)
}

const quantile = (numbers, share) =>
  numbers.sort((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))]
console.log('| kind | way | answered | calls | tokens, median | p90 |')
for (const kind of ['api', 'option', 'change', 'absent', ''])
  for (const way of ['docs-mcp', 'reading']) {
    const costs = rows.filter((row) => row.kind.startsWith(kind)).map((row) => row[way])
    const right = costs.filter(({ isRight }) => isRight).length
    const calls = (costs.reduce((sum, cost) => sum + cost.calls, 0) / costs.length).toFixed(2)
    const counts = costs.map(({ tokens }) => tokens)
    const tokens = `${quantile(counts, 0.5)} | ${quantile(counts, 0.9)}`
    console.log(
      `| ${kind || 'all'} | ${way} | ${right} of ${costs.length} | ${calls} | ${tokens} |`,
    )
  }
