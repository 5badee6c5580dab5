// Measures a reader, a model or a person, who answers questions about a site with docs-mcp, or with rg
// over the same text. The reader sees a sheet of questions and one command, which makes a call, counts
// its tokens and notes it; the answers are judged afterwards by patterns that the reader does not see.
//   node run.mjs --site FOLDER --tasks FILE --out FOLDER     FILE: [{ id, question, answer: [pattern] }]
//   node run.mjs --manuals NAME,… --out FOLDER               questions of ../tasks
//   node run.mjs --judge FOLDER                              after the reader wrote answers.json
// With --rg the command is rg instead of docs-mcp.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { cleanHtml, toMarkdown } from '../../../packages/cleaner/dist/index.js'
import { open } from '../client.mjs'
import { hasAnswer } from '../tasks/answers.mjs'
import { manuals, pagesOf, readTasks } from '../tasks/manuals.mjs'

// pnpm passes on the -- before the options, and runs this in its own folder.
const args = process.argv.slice(2).filter((word, at) => word !== '--' || at > 0)
const fromCaller = (path) => resolve(process.env.INIT_CWD ?? '.', path)
const { values } = parseArgs({
  args,
  options: {
    site: { type: 'string' },
    tasks: { type: 'string' },
    manuals: { type: 'string' },
    out: { type: 'string' },
    judge: { type: 'string' },
    rg: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))
const key = (folder) => `${folder}.key.json`

if (values.judge !== undefined) judge(fromCaller(values.judge))
else if (values.out !== undefined && (values.manuals || (values.site && values.tasks)))
  await prepare(fromCaller(values.out))
else {
  console.log(readFileSync(fileURLToPath(import.meta.url), 'utf8').match(/^(?:\/\/ ?.*\n)+/)[0])
  process.exitCode = values.help ? 0 : 2
}

/** Each question with the folder of its site. */
function questionsOf() {
  if (values.site)
    return readJson(fromCaller(values.tasks)).map((task) => ({
      ...task,
      site: fromCaller(values.site),
    }))
  const only = values.manuals.split(',')
  for (const name of only)
    if (!manuals.has(name)) throw new Error(`There is no manual ${JSON.stringify(name)}.`)
  return readTasks({ only }).map((task) => ({ ...task, site: manuals.get(task.manual).root }))
}

async function prepare(out) {
  const questions = questionsOf()
  mkdirSync(out, { recursive: true })
  // The key is next to the folder: the reader gets the folder alone.
  writeFileSync(key(out), JSON.stringify(questions.map(({ id, answer }) => ({ id, answer }))))
  const sites = Object.fromEntries(
    questions.map(({ id, site }) => [id, values.rg ? textOf(site, out) : site]),
  )
  if (!values.rg) for (const site of new Set(Object.values(sites))) await index(site, out)
  const call = fileURLToPath(new URL('call.mjs', import.meta.url))
  writeFileSync(`${out}/sites.json`, JSON.stringify(sites))
  const how = values.rg
    ? `\`node ${call} ${out} ID rg [options] PATTERN [file …]\`, or \`… ID sed -n A,Bp FILE\` to read lines of a file; the working folder has the text of the site as Markdown`
    : `\`node ${call} ${out} ID TOOL 'JSON arguments'\`; \`node ${call} ${out} ID tools\` lists the tools of the server for free`
  writeFileSync(
    `${out}/questions.md`,
    `# Questions\n\nAnswer each question from the documentation of its site alone, with as few calls and tokens as you can. One call: ${how}. Stop once you have the answer. Write answers.json in this folder: \`{ "ID": "the answer, with the sentence of the documentation that it is from, word for word" }\`, or "not found".\n\n${questions.map(({ id, question }) => `- **${id}**: ${question}`).join('\n')}\n`,
  )
  console.log(`${questions.length} questions in ${out}/questions.md`)
}

/** Until every page is indexed, as after the first minutes of use. */
async function index(site, out) {
  const server = await open([site], `${out}/cache`)
  for (let text = 'not read: '; /still to be (?:indexed|listed)|^not read: $/.test(text); )
    ({ text } = await server.call('search_docs', { query: 'the' }))
  await server.close()
}

/** The pages of a site as Markdown, once. */
function textOf(site, out) {
  const folder = `${out}/text/${site.replaceAll('/', '_').slice(-60)}`
  if (existsSync(folder)) return folder
  for (const page of pagesOf({ root: site })) {
    const source = readFileSync(`${site}/${page}`, 'utf8')
    const file = `${folder}/${page.replace(/\.html?$/, '')}.md`.replace(/\.md\.md$/, '.md')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, page.endsWith('.md') ? source : toMarkdown(cleanHtml(source).sections))
  }
  return folder
}

function judge(out) {
  const answers = readJson(`${out}/answers.json`)
  const calls = existsSync(`${out}/calls.jsonl`)
    ? readFileSync(`${out}/calls.jsonl`, 'utf8').trim().split('\n').map(JSON.parse)
    : []
  const rows = readJson(key(out)).map(({ id, answer }) => {
    const callsFor = calls.filter((call) => call.id === id)
    return {
      id,
      isRight: hasAnswer(String(answers[id] ?? ''), { answer }),
      isSeen: hasAnswer(callsFor.map(({ text }) => text).join('\n'), { answer }),
      calls: callsFor.length,
      tokens: callsFor.reduce((sum, { tokens }) => sum + tokens, 0),
    }
  })
  const mean = (name) => rows.reduce((sum, row) => sum + Number(row[name]), 0) / rows.length
  console.log(
    `| questions | answered | answer was in the replies | calls | in one call | tokens |\n|---|---|---|---|---|---|`,
  )
  console.log(
    `| ${rows.length} | ${rows.filter(({ isRight }) => isRight).length} | ${rows.filter(({ isSeen }) => isSeen).length} | ${mean('calls').toFixed(2)} | ${rows.filter((row) => row.calls === 1).length} | ${mean('tokens').toFixed(0)} |`,
  )
  for (const row of rows.filter(({ isRight }) => !isRight))
    console.log(
      `${row.id}: ${row.isSeen ? 'in a reply' : 'not seen'}: ${answers[row.id] ?? 'no answer'}`,
    )
}
