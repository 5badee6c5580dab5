import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startServer } from './time-programs.mjs'

const page = 'snowflake--create-table.html'
const call = (name, args = {}) => ['tools/call', { name, arguments: args }]
const metaCall = (module, tool_name, params) => call('call', { module, tool_name, params })

/** Requests that each program gets, in a folder of pages or of sources. */
const sessions = {
  'docs-mcp': [
    call('search_docs', { query: 'cluster by' }),
    call('search_docs', { query: 'copy grants', include_headings: true, max_results: 3 }),
    call('get_doc_toc', { url: page }),
    call('get_doc_content', { url: page }),
    call('get_doc_content', { url: page, start_index: 4000 }),
    call('search_in_doc', { url: page, query: 'transient' }),
    call('search_table', { url: page, query: 'collation' }),
    call('get_doc_section', { url: page, sections: ['syntax'] }),
    call('recommend_docs', { url: page }),
    call('get_doc_toc', { url: 'none.html' }),
  ],
  'code-mcp': [
    call('find_function', { query: 'estimateTokens' }),
    call('find_references', { name: 'estimateTokens' }),
    call('list_functions', { file_path: 'src/content.ts' }),
    call('get_chunk', { chunk_id: 'src/content.ts' }),
    call('find_file', { pattern: 'src/*.ts' }),
    call('get_chunk', { chunk_id: 'src/choose-end.ts#chooseEnd' }),
  ],
  'aggregator-mcp': [
    call('search_tools', { query: 'echo' }),
    call('get_module_schema', {}),
    call('get_module_schema', { module: ['echo'] }),
    metaCall('echo', 'echo', { text: 'again' }),
    metaCall('echos', 'echo', { text: 'again' }),
    metaCall('echo', 'none', {}),
    call('batch', {
      commands:
        '{"id":"a","module":"echo","tool":"echo","params":{"text":"1"}}\n{"id":"b","module":"echo","tool":"echo","params":{"text":"2"},"after":["a"]}',
    }),
  ],
}

/** Commands of each program, and of `aggregator-mcp` the help of each command. */
const commands = {
  'docs-mcp': [['help'], ['toc', page], ['sites']],
  'code-mcp': [['help'], ['list', 'src/content.ts']],
  'aggregator-mcp': [
    ...['', 'setup', 'add', 'registry', 'config', 'login', 'start', 'list', 'clients', 'status'],
    ...['journal', 'import', 'skills', 'migrate', 'approvals', 'pin', 'token', 'console'],
  ].map((word) => ['help', word].filter(Boolean)),
}

/** Replies of the built programs of a checkout, and outputs of their commands, by what was asked. */
async function repliesOf(checkout, folder) {
  const replies = new Map()
  const servers = join(folder, 'servers.json')
  const echo = resolve('apps/aggregator-mcp/test/running/odd-server.mjs')
  const config = { mcpServers: { echo: { command: process.execPath, args: [echo] } } }
  writeFileSync(servers, JSON.stringify(config))
  // What one checkout stores, the other must not find.
  const home = mkdtempSync(join(folder, 'home-'))
  const env = {
    ...process.env,
    AGGREGATOR_MCP_SHARE: 'off',
    HOME: home,
    XDG_STATE_HOME: home,
    XDG_CACHE_HOME: home,
  }
  const sources = {
    'docs-mcp': join(folder, 'pages'),
    'code-mcp': resolve('packages/paginator'),
    'aggregator-mcp': folder,
  }
  const options = {
    'docs-mcp': ['--no-cache', sources['docs-mcp']],
    'code-mcp': [sources['code-mcp']],
    'aggregator-mcp': ['--config', servers, '--no-state'],
  }
  for (const [name, requests] of Object.entries(sessions)) {
    const program = resolve(checkout, 'apps', name, 'dist/main.js')
    // Replies to first questions depend on what is indexed when they are due.
    if (name === 'code-mcp') spawnSync(process.execPath, [program, 'index', sources[name]], { env })
    const modes = name === 'aggregator-mcp' ? ['meta', 'list', 'full'] : ['']
    for (const mode of modes) {
      const extra = mode === '' ? [] : ['--mode', mode]
      const server = await startServer([program, ...options[name], ...extra], { env })
      replies.set(`${name} ${mode} tools/list`, await server.ask('tools/list', {}))
      if (name === 'docs-mcp') await untilIndexed(server)
      if (mode === '' || mode === 'meta')
        for (const [method, params] of requests)
          replies.set(`${name} ${JSON.stringify(params)}`, await server.ask(method, params))
      await server.stop()
    }
    for (const args of commands[name]) {
      const { stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
        cwd: sources[name],
        env,
        encoding: 'utf8',
      })
      replies.set([name, ...args].join(' '), { stdout, stderr })
    }
  }
  return replies
}

/** A search says what is still to be read. */
async function untilIndexed({ ask }) {
  for (let rest = true; rest; ) {
    const reply = await ask(...call('search_docs', { query: 'any' }))
    rest = JSON.stringify(reply).includes('still to be indexed')
  }
}

/** What two built checkouts reply differently to the same requests and commands, and how many those are. */
export async function compareReplies(checkouts) {
  const folder = mkdtempSync(join(tmpdir(), 'pith-replies-'))
  try {
    const fixtures = 'packages/cleaner/test/fixtures'
    for (const name of readdirSync(fixtures))
      if (existsSync(`${fixtures}/${name}/input.html`))
        cpSync(`${fixtures}/${name}/input.html`, join(folder, 'pages', `${name}.html`))
    for (const formats of ['packages/formats/test/fixtures', 'docs'])
      cpSync(formats, join(folder, 'pages', formats.replaceAll('/', '-')), { recursive: true })
    const [here, there] = [
      await repliesOf(checkouts[0], folder),
      await repliesOf(checkouts[1], folder),
    ]
    const different = [...here].filter(
      ([asked, reply]) => JSON.stringify(reply) !== JSON.stringify(there.get(asked)),
    )
    return {
      count: here.size,
      different: different.map(([asked, reply]) => [asked, reply, there.get(asked)]),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
