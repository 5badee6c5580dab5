// Whether a call costs more where more is stored: each tool of the three servers, warm, over a
// small and a large folder of generated pages, of generated sources, and over few and many tools.
// The same call has the same reply in both, and its words are in few pages: the places of a word
// are read. CPU milliseconds of the process and its threads, least of rounds by turns, of more
// rounds if they differ; with strace, system calls. Exit code 1 if a call costs more than 1.3 times
// as much in the large one, and 1 ms more, or makes more than 1.3 times as many system calls, and 50
// more.
//   node run.mjs [docs|code|aggregator …]   --rounds N, 7   --calls N, 30   --large N, 20000
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const maxRatio = 1.3
/** Milliseconds: a smaller difference cannot be measured. */
const slackMs = 1
/** System calls by which two runs of the same call differ. */
const slackCalls = 50
/** How often a call that seems dearer is measured again: a loaded machine slows single rounds. */
const retries = 12

const { values, positionals } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    calls: { type: 'string', default: '30' },
    large: { type: 'string', default: '20000' },
  },
  allowPositionals: true,
})
const [rounds, calls, large] = [values.rounds, values.calls, values.large].map(Number)
const [smallFiles, smallTools, largeTools] = [500, 20, 600]

/** A generator of numbers below a limit, the same at every run. */
function numbers(seed) {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

const syllables = 'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo zu'.split(' ')
const draw = numbers(1)
const vocabulary = Array.from({ length: 3_000 }, () =>
  Array.from({ length: 2 + draw(3) }, () => syllables[draw(syllables.length)]).join(''),
)
const wordsOf = (below, count) =>
  Array.from({ length: count }, () => vocabulary[Math.floor(below(54) ** 2)]).join(' ')

function fill(folder, count, fileOf) {
  const below = numbers(2)
  for (let at = 0; at < count; at++) {
    const [path, text] = fileOf(at, below)
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

const page = (at, below) => [
  `part${at % 100}/page${at}.md`,
  `# ${wordsOf(below, 3)} ${at}\n\n${wordsOf(below, 40)}.\n\n## ${wordsOf(below, 2)}\n\n${wordsOf(below, 50)}.\n\n| option | default |\n|---|---|\n| \`${wordsOf(below, 1)}\` | ${at} |\n`,
]
const ownPage = `# Frobnicate a gizmo\n\nHow to frobnicate.\n\n## Limits of the gizmo\n\nA gizmo is frobnicated once.\n\n| option | default |\n|---|---|\n| \`torque\` | 7 |\n\n## See also\n\n[A page](../part1/page1.md)\n`
const source = (at, below) => {
  const name = (count) => wordsOf(below, count).replaceAll(' ', '_')
  return [
    `part${at % 100}/module${at}.py`,
    `import part${(at + 1) % 100}.module${at + 1}\n\n\ndef ${name(2)}_${at}(${name(1)}):\n    """${wordsOf(below, 8)}."""\n    return ${name(1)}(${at})\n\n\nclass ${name(1)}${at}:\n    def ${name(2)}(self):\n        return self.${name(1)}\n`,
  ]
}
const ownSource = `def frobnicate_gizmo(torque):\n    """Turn it."""\n    return torque * 2\n\n\ndef frobnicate_gizmo_twice(torque):\n    return frobnicate_gizmo(frobnicate_gizmo(torque))\n`

const main = (app) => fileURLToPath(new URL(`../../apps/${app}/dist/main.js`, import.meta.url))
const manyTools = fileURLToPath(new URL('../aggregator/many-tools.mjs', import.meta.url))
const echoServer = fileURLToPath(new URL('../aggregator/echo-server.mjs', import.meta.url))
const url = 'own/gizmo.md'
const file_path = 'own/gizmo.py'

/** Servers with what they serve, and a call of each tool. */
const servers = {
  docs: {
    sizes: [smallFiles, large],
    prepare(folder, count) {
      fill(folder, count, page)
      mkdirSync(join(folder, 'own'))
      writeFileSync(join(folder, url), ownPage)
      return [main('docs-mcp'), folder]
    },
    calls: [
      ['search_docs', { query: 'frobnicate gizmo' }],
      ['search_docs', { query: 'how is a gizmo frobnicated, and its torque' }],
      ['search_in_doc', { url, query: 'frobnicated' }],
      ['search_table', { url, query: 'torque' }],
      ['get_doc_toc', { url }],
      ['get_doc_section', { url, section: 'Limits of the gizmo' }],
      ['get_doc_content', { url }],
      ['recommend_docs', { url }],
    ],
  },
  code: {
    sizes: [smallFiles, large],
    prepare(folder, count) {
      fill(folder, count, source)
      mkdirSync(join(folder, 'own'))
      writeFileSync(join(folder, file_path), ownSource)
      return [main('code-mcp'), folder]
    },
    calls: [
      ['find_function', { query: 'frobnicate_gizmo' }],
      ['find_function', { query: '*frobnicate*' }],
      ['find_function', { query: 'frobnicate_gizmo', path: 'own' }],
      ['find_references', { name: 'frobnicate_gizmo' }],
      ['list_functions_in_file', { file_path }],
      ['get_chunk', { chunk_id: `${file_path}#frobnicate_gizmo` }],
      ['find_file', { pattern: 'gizmo.py' }],
    ],
  },
  aggregator: {
    sizes: [smallTools, largeTools],
    prepare(folder, count) {
      const mcpServers = Object.fromEntries(
        Array.from({ length: count / 20 }, (_, at) => [
          `s${at}`,
          { command: process.execPath, args: [manyTools, String((at % 5) * 20), '20'] },
        ]),
      )
      mcpServers.echo = { command: process.execPath, args: [echoServer] }
      writeFileSync(join(folder, 'config.json'), JSON.stringify({ mcpServers }))
      return [main('aggregator-mcp'), '--config', join(folder, 'config.json')]
    },
    calls: [
      ['get_module_schema', { module: 's0' }],
      ['call', { module: 's0', tool: 'list_issue', params: { limit: 3 } }],
      ['read_more', { query: 'table' }],
      ['batch', { commands: '{"module":"s0","tool":"list_issue","params":{"limit":3}}' }],
      ['search_tools', { query: 'echo' }],
    ],
  },
}

/** A server over stdio, raw, with the CPU milliseconds of its process and all threads. */
async function open(args, cache) {
  const env = {
    ...process.env,
    // What is measured is the process that is started.
    AGGREGATOR_MCP_SHARE: 'off',
    XDG_CACHE_HOME: cache,
    XDG_CONFIG_HOME: cache,
    XDG_STATE_HOME: cache,
  }
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, method, ...reply } = JSON.parse(line)
    if (method === undefined) waiting.get(id)?.(reply)
  })
  let last = 0
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const request = (method, params) =>
    new Promise((resolve) => {
      waiting.set(++last, resolve)
      send({ id: last, method, params })
    })
  const clientInfo = { name: 'bench', version: '0' }
  await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
  send({ method: 'notifications/initialized' })
  return {
    pid: child.pid,
    tools: async () => (await request('tools/list', {})).result.tools.map(({ name }) => name),
    async call(name, params) {
      const { result, error } = await request('tools/call', { name, arguments: params })
      if (error || result.isError) throw new Error(`${name}: ${JSON.stringify(error ?? result)}`)
      return result
    },
    /** By thread. */
    cpuMs: () =>
      new Map(
        readdirSync(`/proc/${child.pid}/task`).map((task) => {
          const stat = readFileSync(`/proc/${child.pid}/task/${task}/schedstat`, 'utf8')
          return [task, Number(stat.split(' ')[0]) / 1e6]
        }),
      ),
    close: () =>
      new Promise((resolve) => {
        child.once('exit', resolve)
        child.kill()
      }),
  }
}

/** The parameters of a call; `read_more` needs a result that is kept. */
async function filled(server, [tool, params]) {
  if (tool !== 'read_more') return [tool, params]
  const long = { module: 'echo', tool: 'echo', params: { characters: 60_000 } }
  const { _meta } = await server.call('call', long)
  return [tool, { ...params, result: _meta['io.github.pith-mcp/result'].result }]
}

const least = (list) => Math.min(...list)

/** The CPU milliseconds since `before`; Infinity if a thread has ended, whose time is not known. */
function cpuSince(before, { cpuMs }) {
  const now = cpuMs()
  if ([...before.keys()].some((task) => !now.has(task))) return Number.POSITIVE_INFINITY
  return [...now].reduce((sum, [task, ms]) => sum + ms - (before.get(task) ?? 0), 0)
}

async function measured(server, [tool, params]) {
  const before = server.cpuMs()
  for (let at = 0; at < calls; at++) await server.call(tool, params)
  return cpuSince(before, server) / calls
}

/** System calls of the process in some calls of a tool; undefined without strace. */
async function systemCalls(server, [tool, params]) {
  const file = join(tmpdir(), `growth-${server.pid}`)
  const options = ['-f', '-c', '-o', file, '-p', String(server.pid)]
  const strace = spawn('strace', options, { stdio: ['ignore', 'ignore', 'pipe'] })
  const started = new Promise((resolve) => {
    strace.stderr.once('data', () => resolve(true))
    strace.once('error', () => resolve(false))
    strace.once('exit', () => resolve(false))
  })
  if (!(await started)) return undefined
  for (let at = 0; at < calls; at++) await server.call(tool, params)
  const ended = new Promise((resolve) => strace.once('exit', resolve))
  strace.kill('SIGINT')
  await ended
  const total = /^100\.00 +\S+ +\S+ +(\d+)/m.exec(readFileSync(file, 'utf8'))
  rmSync(file)
  return Math.round(Number(total?.[1]) / calls)
}

/** Calls until what happens in the background has ended. */
async function warm(server) {
  for (let round = 0; round < 4; round++)
    for (const [tool, params] of server.list) await server.call(tool, params)
  for (let quiet = 0; quiet < 3; ) {
    const before = server.cpuMs()
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    quiet = cpuSince(before, server) < 30 ? quiet + 1 : 0
  }
  for (const [tool, params] of server.list) await server.call(tool, params)
}

let isGrown = false
const digits = (value) => (value === undefined ? '' : value.toFixed(value < 10 ? 2 : 0))
for (const [name, { sizes, prepare, calls: list }] of Object.entries(servers)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  const root = mkdtempSync(join(tmpdir(), 'growth-'))
  const opened = []
  try {
    for (const size of sizes) {
      const [folder, cache] = ['served', 'cache'].map((part) => join(root, `${part}${size}`))
      for (const path of [folder, cache]) mkdirSync(path)
      opened.push(await open(prepare(folder, size), cache))
    }
    const missing = (await opened[0].tools()).filter(
      (tool) => !list.some(([each]) => each === tool),
    )
    if (missing.length > 0) throw new Error(`Not measured: ${missing.join(', ')}`)
    for (const server of opened) {
      server.list = []
      for (const call of list) server.list.push(await filled(server, call))
      await warm(server)
    }
    for (const [which, call] of list.entries()) {
      const times = opened.map(() => [])
      const measure = async () => {
        for (let round = 0; round < rounds; round++)
          for (const [at, server] of opened.entries())
            times[at].push(await measured(server, server.list[which]))
        return times.map(least)
      }
      const isDearer = (few, many) => many > maxRatio * few && many - few > slackMs
      let [few, many] = await measure()
      for (let again = 0; isDearer(few, many) && again < retries; again++)
        [few, many] = await measure()
      const counts = []
      for (const server of opened) counts.push(await systemCalls(server, server.list[which]))
      const [fewCalls, manyCalls] = counts
      const isOver = isDearer(few, many) || manyCalls > maxRatio * fewCalls + slackCalls
      isGrown ||= isOver
      const cells = [
        `${name}: ${call[0]} ${JSON.stringify(Object.values(call[1]))}`,
        digits(few),
        digits(many),
        `${(many / few).toFixed(2)}${isOver ? ' GROWN' : ''}`,
        fewCalls ?? '',
        manyCalls ?? '',
      ]
      console.log(`| ${cells.join(' | ')} |`)
    }
  } finally {
    await Promise.all(opened.map((server) => server.close()))
    rmSync(root, { recursive: true, force: true })
  }
}
process.exit(isGrown ? 1 : 0)
