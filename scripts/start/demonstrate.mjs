import { readFileSync, realpathSync, statSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { isUrl } from './find-source.mjs'

/** Documentation that is there without a network: of a package that docs-mcp depends on. */
const sample = {
  folder: 'packages/docs/node_modules/undici/docs',
  title: 'the documentation of undici, the HTTP client of Node',
  question: 'how do I follow redirects with an interceptor?',
}

/** Words of headings that are tried as a question, and pages that they are taken from. */
const maxTries = 6

/**
 * Ask one question of a source through docs-mcp, as a model would: search, then read the section.
 *
 * @param given Of `findSource`; without it, a sample is asked.
 * @param keep Whether pages and the index are kept for the next time.
 * @param onProgress Called with the pages that were read, and those there are, if that is known.
 * @returns the question, the address of its answer, all that the model got, and the whole page.
 * @throws with what docs-mcp says, if nothing is found
 */
export async function demonstrate({ given, words, signal, keep = true, onProgress = () => {} }) {
  const source = given ?? realpathSync(sample.folder)
  const client = new Client({ name: 'pith-start', version: '0' })
  const call = caller(client, { signal, onProgress })
  const transport = new StdioClientTransport({
    command: process.execPath,
    // The first question waits until all pages are read. Addresses and figures come as JSON.
    args: [
      resolve('apps/docs-mcp/dist/main.js'),
      ...['--search-wait', '600', '--structured-content'],
      // The sample leaves nothing outside of this clone.
      ...(given === undefined ? ['--cache', resolve('node_modules/.cache/pith-start')] : []),
      ...(keep ? [] : ['--no-cache']),
      source,
    ],
    // Its settings, and those of proxies.
    env: process.env,
    stderr: 'inherit',
  })
  await client.connect(transport)
  try {
    const question = words || (given === undefined ? sample.question : undefined)
    const found = question ? await search(call, question) : await searchHeading(client, call)
    const title = given ?? sample.title
    return { title, ...found, ...(await read(call, found, source)) }
  } finally {
    await client.close()
  }
}

/** Searches that are repeated until all files are read; each waits for some of them. */
const maxSearches = 1_000

/** The best section for a question, and the reply. */
async function search(call, question) {
  let reply
  let searches = 0
  do reply = await call('search_docs', { query: question, max_results: 3 })
  while (reply.data.sources.some(isUnread) && ++searches < maxSearches)
  const { text, data } = reply
  const [best] = data.results
  if (!best) throw new Error(`${text}\nTry other words: npm start -- <url or folder> <words>`)
  return { question, url: best.url, reply: text }
}

/** A site goes on being read for long; its best pages are read for the question. */
const isUnread = ({ name, is_complete }) => !is_complete && !isUrl(name)

/** The same for a heading of the source, of which the search finds the section. */
async function searchHeading(client, call) {
  const { text } = await call('search_docs', { query: 'introduction', max_results: 1 })
  const { resources } = await client.listResources()
  const step = Math.max(1, Math.floor(resources.length / maxTries))
  const pages = resources.filter((_, at) => at % step === Math.floor(step / 2)).slice(0, maxTries)
  for (const { uri } of pages) {
    const page = uri.slice('docs:'.length)
    const ids = await idsOf(client, page)
    const id = ids[Math.floor(ids.length * 0.8)]
    if (id === undefined) continue
    const { data } = await call('get_doc_section', { url: page, section: id, max_length: 1 })
    const found = await search(call, data.section.title).catch(() => undefined)
    if (found && found.url.split('#')[0] === page) return found
  }
  const isEmpty = resources.length === 0
  throw new Error(
    `${isEmpty ? text : `No heading of ${resources.length} ${resources.length === 1 ? 'page' : 'pages'} could be asked for.`}\nPass the words to ask for: npm start -- <url or folder> <words>`,
  )
}

/** Ids of the sections of a page. */
async function idsOf(client, page) {
  const { completion } = await client.complete({
    ref: { type: 'ref/resource', uri: 'docs:{+url}#{section}' },
    argument: { name: 'section', value: '' },
    context: { arguments: { url: page } },
  })
  return completion.values.filter((id) => id !== '')
}

async function read(call, { url, reply }, source) {
  const section = await call('get_doc_section', { url, include_code_blocks: true })
  const [page] = url.split('#')
  const original = await originalOf(page, source)
  const isMarkdown = original !== undefined && markdownNames.has(extname(page).toLowerCase())
  return {
    section: textOf(section),
    answer: `${reply}\n${section.text}`,
    pages: [
      ...(original === undefined
        ? []
        : [{ name: isMarkdown ? 'the whole page' : 'the whole page, HTML', text: original }]),
      ...(isMarkdown
        ? []
        : [{ name: 'the whole page, Markdown', text: await wholePage(call, page) }]),
    ],
  }
}

const markdownNames = new Set(['.md', '.mdx', '.markdown'])
const htmlNames = new Set(['.html', '.htm', '.xhtml'])

/** The page before anything was done to it, if it lies open. */
async function originalOf(page, source) {
  if (isUrl(page)) {
    const response = await fetch(page).catch(() => undefined)
    return response?.ok ? response.text() : undefined
  }
  const path = statSync(source).isDirectory() ? join(source, decodeURIComponent(page)) : source
  const name = extname(path).toLowerCase()
  return markdownNames.has(name) || htmlNames.has(name) ? readFileSync(path, 'utf8') : undefined
}

/** What a reply quotes of a page: as many characters as its figures say, after the line that opens it. */
function textOf({ text, data }) {
  const start = text.indexOf('\n', text.indexOf('<page_text')) + 1
  return text.slice(start, start + data.content_length)
}

async function wholePage(call, url) {
  const parts = []
  for (let page; ; ) {
    const args = { url, max_length: 0, include_code_blocks: true, ...(page && { page }) }
    const { text, data } = await call('get_doc_content', args)
    parts.push(text)
    page = data.next_page
    if (!page) return parts.join('\n')
  }
}

function caller(client, { signal, onProgress }) {
  const options = {
    timeout: 10 * 60_000,
    signal,
    onprogress: ({ progress, total }) => onProgress(progress, total),
  }
  return async (name, args) => {
    const reply = await client.callTool({ name, arguments: args }, options)
    const text = reply.content.map((part) => part.text ?? '').join('')
    if (reply.isError) throw new Error(text)
    return { text, data: reply.structuredContent }
  }
}
