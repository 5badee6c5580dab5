import { readFileSync, realpathSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { isUrl } from './find-source.mjs'

/** Documentation that is there without a network: of a package that docs-mcp depends on. */
const sample = {
  folder: 'packages/docs/node_modules/undici/docs',
  title: 'the documentation of undici, the HTTP client of Node',
  question: 'how do I follow redirects with an interceptor?',
}

/**
 * Ask one question of a source through docs-mcp, as a model would: search, then read the section.
 *
 * @param given Of `findSource`; without it, a sample is asked.
 * @param keep Whether pages and the index are kept for the next time.
 * @param onProgress Called with the pages that were read, and those there are, if that is known.
 * @returns the question, the address of its answer, all that the model got, and the whole page.
 */
export async function demonstrate({ given, words, signal, keep = true, onProgress = () => {} }) {
  const source = given ?? realpathSync(sample.folder)
  const client = new Client({ name: 'pith-start', version: '0' })
  const call = caller(client, { signal, onProgress })
  const transport = new StdioClientTransport({
    command: process.execPath,
    // The first question waits until all pages are read.
    args: [
      resolve('apps/docs-mcp/dist/main.js'),
      ...['--search-wait', '600'],
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
    const question =
      words || (given === undefined ? sample.question : await findQuestion(call, source))
    const title = given ?? sample.title
    return { title, question, ...(await ask(call, question, source)) }
  } finally {
    await client.close()
  }
}

async function ask(call, question, source) {
  const found = await call('search_docs', { query: question, max_results: 3 })
  const url = firstUrl(found)
  if (!url)
    throw new Error(
      `Nothing was found for “${question}”. Try different words: npm start -- <url or folder> <words>`,
    )
  const section = await call('get_doc_section', { url, include_code_blocks: true })
  const [page] = url.split('#')
  const original = await originalOf(page, source)
  const isMarkdown = original !== undefined && /\.(md|mdx|markdown)$/i.test(page)
  return {
    url,
    section,
    answer: `${found}\n${section}`,
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

/** The page before anything was done to it, if it lies open. */
async function originalOf(page, source) {
  if (isUrl(page)) {
    const response = await fetch(page).catch(() => undefined)
    return response?.ok ? response.text() : undefined
  }
  const path = statSync(source).isDirectory() ? join(source, decodeURIComponent(page)) : source
  return /\.(html?|xhtml|mdx?|markdown)$/i.test(path) ? readFileSync(path, 'utf8') : undefined
}

/** A question that the last third of a page of the source answers. */
async function findQuestion(call, source) {
  const isPage = isUrl(source) ? !/\.xml($|\?)/i.test(source) : statSync(source).isFile()
  const page = isPage
    ? source
    : firstUrl(await call('search_docs', { query: 'the' }))?.split('#')[0]
  if (!page)
    throw new Error('No page of the source has any text. Pass the words to ask for as well.')
  const toc = await call('get_doc_toc', { url: page })
  const titles = [
    ...toc.matchAll(
      /^ *- (.*?)(?: \{[^}]*\})? ~\d+(?:\/\d+)?(?: [ct]\d+)*(?: \+\d+)?(?: changed| new)?$/gm,
    ),
  ].map(([, title]) => title)
  const title = titles[Math.floor(titles.length * 0.8)]
  if (!title)
    throw new Error(`${page} has no headings to ask for. Pass the words to ask for as well.`)
  return title.replace(/…$/, '')
}

async function wholePage(call, url) {
  const parts = []
  for (let page; ; ) {
    const args = { url, max_length: 0, include_code_blocks: true, ...(page && { page }) }
    const text = await call('get_doc_content', args)
    parts.push(text)
    page = /\n\[next: .*page="([^"]+)"\)\]$/.exec(text)?.[1]
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
    const { content, isError } = await client.callTool({ name, arguments: args }, options)
    const text = content.map((part) => part.text ?? '').join('')
    if (isError) throw new Error(text)
    return text
  }
}

const firstUrl = (search) => /^\*\*.*\*\*\n(\S+)$/m.exec(search)?.[1]
