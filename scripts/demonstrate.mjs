import { existsSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { buildSite } from './site/build-site.mjs'

const programOf = (app) => resolve(`apps/${app}/dist/main.js`)
const server = programOf('docs-mcp')

/** Ask one question of a source through docs-mcp and show what each step costs. */
export async function demonstrate(name, words) {
  const source = await openSource(name)
  console.log(`▸ Starting docs-mcp on ${source}\n`)
  const client = new Client({ name: 'pith-start', version: '0' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    // The first question waits until all pages are read.
    args: [server, '--search-wait', '600', ...(name === undefined ? ['--no-cache'] : []), source],
    stderr: 'inherit',
  })
  const stop = () => void client.close().finally(() => process.exit(130))
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop)
  await client.connect(transport)
  try {
    const question =
      words || (name === undefined ? 'unsupported_type' : await findQuestion(client, source))
    await answer(client, question, source)
  } finally {
    await client.close()
  }
  showConfiguration(source)
}

async function openSource(name) {
  if (name === undefined) {
    await buildSite({ to: '.manual' })
    return resolve('.manual')
  }
  if (/^https?:/i.test(name)) return name
  // npm runs scripts in the root of the repository; paths are meant from where it was called.
  const path = resolve(process.env.INIT_CWD ?? '.', name)
  if (!existsSync(path)) throw new Error(`there is no file or folder ${path}`)
  return path
}

async function answer(client, question, source) {
  console.log(`Question: ${question}\n`)
  const search = await call(client, 'search_docs', { query: question, max_results: 3 })
  show('1. search_docs finds the section', search)
  const url = firstUrl(search)
  if (!url)
    throw new Error(
      `nothing was found for “${question}”; ask in other words: npm start -- <source> <words>`,
    )
  const [page] = url.split('#')
  const toc = await call(client, 'get_doc_toc', { url: page })
  show('2. get_doc_toc shows what is around it', toc)
  const section = await call(client, 'get_doc_section', { url, include_code_blocks: true })
  show('3. get_doc_section reads it', section)
  const whole = await wholePage(client, page)
  const steps = [search, toc, section].join('\n')
  console.log('What it cost                      characters    tokens')
  row('search + table of contents + section', steps)
  row('search + section', `${search}\n${section}`)
  row('the whole page as Markdown', whole)
  row('the whole page as it comes', await original(page, source))
  const saved = 1 - tokens(`${search}\n${section}`) / tokens(whole)
  console.log(
    saved > 0
      ? `\nSearch and section cost ${Math.round(saved * 100)} % less than the page.\n`
      : '\nThe page is so short that reading it whole costs no more.\n',
  )
}

/** The page before anything was done to it. */
async function original(page, source) {
  if (/^https?:/i.test(page)) return (await fetch(page)).text()
  const isFolder = !/^https?:/i.test(source) && statSync(source).isDirectory()
  return readFileSync(isFolder ? resolve(source, decodeURIComponent(page)) : source, 'utf8')
}

/** A question whose answer stands in the last third of a page of the source. */
async function findQuestion(client, source) {
  const isPage = /^https?:/i.test(source) ? !/\.xml($|\?)/i.test(source) : statSync(source).isFile()
  const page = isPage
    ? source
    : firstUrl(await call(client, 'search_docs', { query: 'the' }))?.split('#')[0]
  if (!page)
    throw new Error('no page of the source has any text; pass the words to ask for as well')
  const toc = await call(client, 'get_doc_toc', { url: page })
  const titles = [
    ...toc.matchAll(
      /^ *- (.*?)(?: \{[^}]*\})? ~\d+(?:\/\d+)?(?: [ct]\d+)*(?: \+\d+)?(?: changed| new)?$/gm,
    ),
  ].map(([, title]) => title)
  const title = titles[Math.floor(titles.length * 0.8)]
  if (!title)
    throw new Error(`${page} has no headings to ask for; pass the words to ask for as well`)
  return title.replace(/…$/, '')
}

async function wholePage(client, url) {
  const parts = []
  for (let page; ; ) {
    const args = { url, max_length: 0, include_code_blocks: true, ...(page && { page }) }
    const text = await call(client, 'get_doc_content', args)
    parts.push(text)
    page = /\n\[next: .*page="([^"]+)"\)\]$/.exec(text)?.[1]
    if (!page) return parts.join('\n')
  }
}

async function call(client, name, args) {
  const options = {
    timeout: 10 * 60_000,
    onprogress: ({ progress, total }) => {
      if (process.stderr.isTTY || progress === total || progress % 100 === 0)
        process.stderr.write(
          `${process.stderr.isTTY ? '\r' : ''}  ${progress}${total ? ` of ${total}` : ''} pages read${process.stderr.isTTY && progress !== total ? '' : '\n'}`,
        )
    },
  }
  const { content, isError } = await client.callTool({ name, arguments: args }, options)
  const text = content.map((part) => part.text ?? '').join('')
  if (isError) throw new Error(text)
  return text
}

const firstUrl = (search) => /^\*\*.*\*\*\n(\S+)$/m.exec(search)?.[1]

function show(title, text) {
  const lines = text.split('\n')
  const shown = lines
    .slice(0, 14)
    .map((line) => `  │ ${line.length > 100 ? `${line.slice(0, 99)}…` : line}`)
  const more = lines.length - shown.length
  console.log(`${title}: ${count(text.length)} characters, ${count(tokens(text))} tokens`)
  console.log(`${shown.join('\n')}${more > 0 ? `\n  │ … ${more} more lines` : ''}\n`)
}

function row(name, text) {
  console.log(
    `${name.padEnd(36)}${count(text.length).padStart(8)}${count(tokens(text)).padStart(10)}`,
  )
}

/** As the o200k vocabulary of current models counts them. */
const tokens = (text) => encode(text).length
const count = (value) => value.toLocaleString('en-US')

function showConfiguration(source) {
  const entry = { command: 'node', args: [server, source] }
  const json = (value) => JSON.stringify(value)
  console.log(`Connect a client to it:

Claude Code    claude mcp add docs -- node ${quoted(server)} ${quoted(source)}
Cursor         .cursor/mcp.json   ${json({ mcpServers: { docs: entry } })}
VS Code        .vscode/mcp.json   ${json({ servers: { docs: { type: 'stdio', ...entry } } })}
others         node ${quoted(server)} add codex|gemini|opencode|… ${quoted(source)}

The other servers of this clone:

code-mcp        claude mcp add code -- node ${quoted(programOf('code-mcp'))} .
aggregator-mcp  claude mcp add pith -- node ${quoted(programOf('aggregator-mcp'))}

Ask another source: npm start -- <url or folder> [words]`)
}

const quoted = (text) =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
