// What it costs to have one section of a page, asked for in words: with the tools of docs-mcp over
// stdio, in several ways, and as other servers would serve it. Only replies are counted.
//   node flows.mjs [--each]      with the figures of each page, on stderr what did not arrive
import { readFileSync } from 'node:fs'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { connect, nextCall, pageText } from './client.mjs'
import { flowPages, flowSources } from './flow-pages.mjs'
import { readers } from './readers.mjs'
import { missing, sectionRuns } from './truth.mjs'

const withEach = process.argv.includes('--each')
const server = await connect(flowSources)
// The flows begin when all pages are indexed.
for (let text = 'still to be'; text.includes('still to be'); )
  ({ text } = await server.call('search_docs', { query: 'index' }))

/** Calls a tool, and goes on with it as its replies say, as long as `isEnough` of the texts is not true. */
async function walk(seen, tool, args, isEnough = () => false) {
  for (let next = args; next; ) {
    const { text, isError } = await server.call(tool, next)
    seen.push({ reply: text, text: isError ? '' : pageText(text) })
    next = isError || isEnough(text) ? undefined : nextCall(text, tool)
  }
}

/** The URL that a search gives for the page, with the fragment of the section it found. */
async function searched(seen, { question, file }, args = {}) {
  const { text, data } = await server.call('search_docs', { query: question, ...args })
  seen.push({ reply: text, text: pageText(text) })
  const hit = data.results.find(({ url }) => isOf(file, url))
  if (!hit) throw new Error('the search did not find the page')
  return hit.url
}

/** Files are named from the root, or from their source. */
function isOf(file, url) {
  const path = withoutFragment(url)
  return path.endsWith('.html') && `/${file}`.endsWith(`/${path.replace(/^file:\/\//, '')}`)
}

const withoutFragment = (url) => url.split('#')[0]

const flows = {
  'A: search_docs + get_doc_toc + get_doc_section': {
    code: true,
    async run(seen, page) {
      const url = withoutFragment(await searched(seen, page))
      // What a list folds away is listed by naming what it is below.
      for (const section of [undefined, ...(page.within ?? [])]) {
        const isShown = (text) =>
          text.includes(`{${page.section}}`) || text.includes(`- ${page.title} ~`)
        await walk(seen, 'get_doc_toc', { url, ...(section && { section }) }, isShown)
        if (isShown(seen.at(-1).reply)) break
      }
      for (const part of seen) part.text = ''
      const args = { url, section: page.section, include_code_blocks: true }
      await walk(seen, 'get_doc_section', args)
    },
  },
  'B: search_docs with headings + get_doc_section, code off': {
    code: false,
    async run(seen, page) {
      const url = withoutFragment(await searched(seen, page, { include_headings: true }))
      await walk(seen, 'get_doc_section', { url, section: page.section })
    },
  },
  'C: search_in_doc alone, code off': {
    code: false,
    async run(seen, { file: url, question: query }) {
      const { text } = await server.call('search_in_doc', { url, query })
      seen.push({ reply: text, text: pageText(text) })
    },
  },
  'D: search_docs + get_doc_section by its URL': {
    code: true,
    async run(seen, page) {
      const url = await searched(seen, page)
      await walk(seen, 'get_doc_section', { url, include_code_blocks: true })
    },
  },
  'W: get_doc_content to its end': {
    code: true,
    run: (seen, { file: url }) => walk(seen, 'get_doc_content', { url, include_code_blocks: true }),
  },
}

/** Parts of a page up to the one with which the section is whole; all, if it never is. */
const read = (kind, isWhole) => ({
  code: true,
  run(seen, { html, page, runs }) {
    for (const part of readers[kind](html, `https://example.org/${page}`)) {
      seen.push(part)
      if (isWhole && missing(runs, textOf(seen)).length === 0) break
    }
  },
})
const peers = {
  'P1: Readability + turndown, by 5,000 until it is there': read('fetch', true),
  'P1: the same, whole page': read('fetch', false),
  'P2: main region + turndown, by 10,000 until it is there': read('region', true),
  'P2: the same, whole page': read('region', false),
}

const textOf = (seen) => seen.map(({ text }) => text).join('')
const all = { ...flows, ...peers }
const results = []
for (const page of flowPages) {
  const html = readFileSync(page.file, 'utf8')
  const runs = sectionRuns(html, page)
  for (const [name, { code, run }] of Object.entries(all)) {
    const seen = []
    let failure
    try {
      await run(seen, { ...page, html, runs })
    } catch (error) {
      failure = error.message
    }
    const absent = missing(runs, textOf(seen), { code })
    const replies = seen.map(({ reply }) => reply)
    results.push({
      name,
      page: page.page,
      isWhole: absent.length === 0,
      calls: seen.length,
      characters: replies.reduce((sum, reply) => sum + reply.length, 0),
      tokens: replies.reduce((sum, reply) => sum + encode(reply).length, 0),
    })
    if (withEach && (failure || absent.length > 0))
      console.error(
        `${page.page}, ${name}: ${failure ?? `lacks ${absent.length} of ${runs.length}, first “${absent[0].text.slice(0, 80)}”`}`,
      )
  }
}
await server.close()

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length
const whole = new Map(
  results.filter(({ name }) => name.startsWith('W:')).map((result) => [result.page, result]),
)
const percent = (share) => (100 * share).toFixed(1)

console.log(
  `| flow, on ${flowPages.length} pages | calls | characters | tokens | characters saved | tokens saved | least saved | section whole |\n|---|---|---|---|---|---|---|---|`,
)
for (const name of Object.keys(all)) {
  const own = results.filter((result) => result.name === name)
  const saved = (key) => own.map((result) => 1 - result[key] / whole.get(result.page)[key])
  const cells = [
    name,
    mean(own.map(({ calls }) => calls)).toFixed(1),
    ...['characters', 'tokens'].map((key) => mean(own.map((result) => result[key])).toFixed(0)),
    percent(mean(saved('characters'))),
    percent(mean(saved('tokens'))),
    percent(Math.min(...saved('tokens'))),
    own.filter(({ isWhole }) => isWhole).length,
  ]
  console.log(`| ${cells.join(' | ')} |`)
}
if (withEach) {
  const short = (name) => name.split(':')[0]
  console.log(`\n| page, tokens | ${Object.keys(all).map(short).join(' | ')} |`)
  console.log(`|---|${'---|'.repeat(Object.keys(all).length)}`)
  for (const { page } of flowPages) {
    const own = results.filter((result) => result.page === page)
    const cells = own.map(({ tokens, isWhole }) => `${tokens}${isWhole ? '' : ' (not whole)'}`)
    console.log(`| ${page.split('/').at(-1)} | ${cells.join(' | ')} |`)
  }
}
