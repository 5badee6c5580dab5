import { execFile, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startRegistry } from './local-registry.ts'
import { packed } from './packed.ts'

const execute = promisify(execFile)

/** Pages that a new user goes through, and the commands on them that are run elsewhere. */
const pages = [
  'README.md',
  'docs/start/agent.md',
  'docs/start/team.md',
  'docs/start/library.md',
  'docs/connect-a-client.md',
]
const elsewhere = /^(git clone|cd pith|npm start|npm test)\b/
/** What a clone has once `npm start -- --all` has built it, from wherever it is started. */
const fromClone = (command: string) =>
  command
    .replace(/^node (?=apps\/)/, `node ${JSON.stringify(process.cwd())}/`)
    .replace(/(?<= plugin marketplace add )pith-mcp\/pith$/, JSON.stringify(process.cwd()))
/** Programs of clients take more than a gigabyte together, so only the long tier has them. */
const hasClients = process.env['LONG'] === '1'
const clients = [
  '@anthropic-ai/claude-code@2.1.330',
  '@openai/codex@0.169.0',
  '@google/gemini-cli@0.61.0',
  'opencode-ai@1.18.33',
]
const isOfClient = (command: string) => /^(claude|codex|gemini|opencode) /.test(command)

let registry: Awaited<ReturnType<typeof startRegistry>>
let site: { url: string; close: () => void }
let bin: string
/** Of the page whose commands are run. */
let environment: Record<string, string>
let project: string

beforeAll(async () => {
  registry = await startRegistry()
  site = await startSite()
  bin = await findPrograms()
}, 600_000)

afterAll(async () => {
  site?.close()
  await registry?.close()
}, 60_000)

/** Of someone who has a client with a server of theirs, and a project. */
function moveIn(page: string): void {
  const home = join(packed.archives, '..', `home ${page.replaceAll('/', ' ')}`)
  project = join(home, 'project')
  mkdirSync(join(home, '.cursor'), { recursive: true })
  mkdirSync(project)
  writeFileSync(join(home, '.npmrc'), `@pith-mcp:registry=${registry.url}\n`)
  writeFileSync(
    join(project, 'config.js'),
    'export function parseConfig(text) {\n  return text\n}\n',
  )
  const main = join(packed.installed, 'node_modules/@pith-mcp/code-mcp/dist/main.js')
  const code = { command: 'node', args: [main, project] }
  writeFileSync(join(home, '.cursor/mcp.json'), JSON.stringify({ mcpServers: { code } }))
  environment = {
    PATH: [bin, process.env['PATH']].join(':'),
    HOME: home,
    // A shared process would outlive its home.
    AGGREGATOR_MCP_SHARE: 'off',
    // Of all pages: the first of them begins with an empty one.
    npm_config_cache: join(packed.archives, '..', 'npm cache'),
  }
}

/** The programs of clients, which are installed by the newest Node, or nothing. */
async function findPrograms(): Promise<string> {
  if (!hasClients) return packed.archives
  const [, newest] = packed.nodes
  const folder = mkdtempSync(join(packed.archives, '..', 'clients '))
  // Without the prefix, npm installs into the nearest folder above that has a package.json.
  const flags = ['--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error']
  await execute('npm', ['install', ...flags, ...clients], {
    env: { ...process.env, PATH: `${newest}:${process.env['PATH']}` },
  })
  return join(folder, 'node_modules/.bin')
}

async function startSite() {
  const server = createServer(({ url }, response) => {
    if (url !== '/') return void response.writeHead(404).end()
    response.setHeader('content-type', 'text/html')
    response.end(
      '<title>Ferry</title><main><h1>Ferry</h1><h2 id="install">Install</h2><p>Run the installer of the ferry.</p></main>',
    )
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, close: () => void server.close() }
}

/** Commands of the shell, block by block, without their comments. */
const blocksOf = (page: string): string[][] =>
  [...readFileSync(page, 'utf8').matchAll(/^```sh\n([^`]+)^```/gm)].map(([, block = '']) =>
    block
      .split('\n')
      .map((line) => line.replace(/ +# .*$/, '').trim())
      .filter(Boolean),
  )

/** The others repeat much of the first: the long tier has them. */
const walked = hasClients ? pages : pages.slice(0, 1)

/** A team's page is one walk: its endpoint runs while its later commands are used. */
const team = 'docs/start/team.md'

test.runIf(hasClients)(
  'the steps for a team end in a call that succeeds',
  { timeout: 180_000 },
  async ({ onTestFinished }) => {
    moveIn(team)
    const commands = blocksOf(team).flat()
    const ports = await freePortsFor(commands)
    let token = ''
    for (const printed of commands) {
      const command = withPorts(printed, ports)
      if (command.includes('--http')) onTestFinished(await serve(command))
      else {
        const output = await run(command)
        if (command.includes('token create')) token = /pith_\S+/.exec(output)?.[0] ?? ''
        if (/ pin$/.test(command)) expect(output).toMatch(/^[1-9]\d* tools pinned, 0 waiting/m)
      }
    }
    const [port] = ports.values()
    const url = `http://127.0.0.1:${port}/mcp`
    const headers = { authorization: `Bearer ${token}` }
    const client = new Client({ name: 'ada', version: '1' })
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
    )
    onTestFinished(() => client.close())
    const { content } = await client.callTool({
      name: 'call',
      arguments: { module: 'code', tool_name: 'find_function', params: { query: 'parse config' } },
    })
    expect(JSON.stringify(content)).toContain('parseConfig')
  },
)

/** The other pages are walked in the long tier, with the programs of clients. */
const shortWalk = ['README.md']

describe.for(hasClients ? walked.filter((page) => page !== team) : shortWalk)('%s', (page) => {
  beforeAll(() => moveIn(page))

  test.for(blocksOf(page).map((block) => [block.join(' && '), block] as const))(
    '%s',
    { timeout: 180_000 },
    async ([, block], { skip }) => {
      if (block.every((command) => elsewhere.test(command))) return
      if (!hasClients && block.every((command) => isOfClient(command)))
        skip('npm run test:long runs it')
      const ends: (() => void)[] = []
      try {
        const ports = await freePortsFor(block)
        for (const printed of block) {
          if (elsewhere.test(printed) || (!hasClients && isOfClient(printed))) continue
          const command = withPorts(fromClone(printed), ports).replaceAll(
            'https://docs.example.org/',
            site.url,
          )
          if (command.includes('--http')) ends.push(await serve(command))
          else expect(await run(command)).toMatch(/\S/)
        }
      } finally {
        for (const end of ends) end()
      }
    },
  )

  test.runIf(hasClients && page === 'README.md')(
    'what the client was told of answers the first question, as does what was imported',
    { timeout: 120_000 },
    async () => {
      const { projects, mcpServers: ofUser } = JSON.parse(
        readFileSync(join(environment['HOME'] ?? '', '.claude.json'), 'utf8'),
      )
      const [{ mcpServers: ofFolder = {} } = {}] = Object.values(projects) as {
        mcpServers?: Servers
      }[]
      const mcpServers: Servers = { ...ofUser, ...ofFolder }
      const found = await ask(mcpServers['docs'], 'search_docs', { query: 'install ferry' })
      expect(found).toContain('Run the installer of the ferry.')
      const called = await ask(mcpServers['pith'], 'call', {
        module: 'code',
        tool_name: 'find_function',
        params: { query: 'parse config' },
      })
      expect(called).toContain('parseConfig')
      expect(await run('claude mcp list')).toMatch(/docs: .*Connected/)
    },
  )
})

async function run(command: string): Promise<string> {
  const options = { cwd: project, env: environment }
  const { stdout, stderr } = await execute('sh', ['-c', command], options).catch((error) => {
    throw new Error(`${error.message}\n${error.stdout}`)
  })
  return stdout + stderr
}

/** For each port that a block names, one that nobody uses now. */
async function freePortsFor(block: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const named = block.flatMap((command) => /--http (\d+)/.exec(command)?.[1] ?? [])
  const ports = new Map<string, number>()
  for (const port of named) {
    const server = createServer()
    await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
    ports.set(port, (server.address() as AddressInfo).port)
    await new Promise((done) => void server.close(done))
  }
  return ports
}

const withPorts = (command: string, ports: ReadonlyMap<string, number>): string =>
  command.replace(
    /(?<=--http |127\.0\.0\.1:|localhost:)\d+/g,
    (port) => `${ports.get(port) ?? port}`,
  )

/** Started as printed, and waited for until it says that it is up. */
async function serve(command: string): Promise<() => void> {
  const child = spawn('sh', ['-c', command], { cwd: project, env: environment, detached: true })
  const [, port] = /--http (\d+)/.exec(command) ?? []
  let said = ''
  child.stderr.on('data', (data) => {
    said += data
  })
  const end = () => void process.kill(-(child.pid as number), 'SIGTERM')
  for (let left = 300; left > 0; left--) {
    const reply = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined)
    if (reply?.ok) return end
    await new Promise((done) => setTimeout(done, 200))
  }
  end()
  throw new Error(`${command} did not come up: ${said}`)
}

type Servers = Record<string, { command: string; args: string[] }>

async function ask(
  entry: Servers[string] | undefined,
  name: string,
  args: object,
): Promise<string> {
  if (!entry) throw new Error('The client has no such server.')
  const client = new Client({ name: 'walk', version: '0' })
  await client.connect(new StdioClientTransport({ ...entry, cwd: project, env: environment }))
  const { content } = await client.callTool({ name, arguments: { ...args } })
  await client.close()
  return JSON.stringify(content)
}

/** A copy of an example outside of the repository, with what npm installs there. */
async function copiedExample(name: string): Promise<string> {
  moveIn(`copy of ${name}`)
  const copy = join(project, name)
  cpSync(join('examples', name), copy, {
    recursive: true,
    filter: (path) => !path.endsWith('node_modules'),
  })
  const manifest = readFileSync(join(copy, 'package.json'), 'utf8')
  expect(manifest).not.toMatch(/catalog:|workspace:/)
  await execute('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: copy,
    env: environment,
  })
  return copy
}

// In place they run in examples.test.ts.
describe.runIf(hasClients)('examples run where they are copied to', () => {
  test('docs-for-one-site', { timeout: 240_000 }, async () => {
    const cwd = await copiedExample('docs-for-one-site')
    const args = ['ask.mjs', site.url, 'install', 'ferry']
    const { stdout } = await execute(process.execPath, args, { cwd, env: environment })
    expect(stdout).toContain('Run the installer of the ferry.')
  })

  test('aggregator-two-accounts', { timeout: 300_000 }, async () => {
    const cwd = await copiedExample('aggregator-two-accounts')
    // Next to other tests, npx may take longer than a server has by default.
    const file = join(cwd, 'servers.json')
    const { mcpServers } = JSON.parse(readFileSync(file, 'utf8'))
    for (const entry of Object.values<Record<string, unknown>>(mcpServers))
      entry['startTimeoutSeconds'] = 120
    writeFileSync(file, JSON.stringify({ mcpServers }))
    const { stdout } = await execute(process.execPath, ['run.mjs'], { cwd, env: environment })
    expect(stdout).toContain('home: Ada\nwork: Grace\n')
    expect(stdout).toContain('The sum of 2 and 40 is 42.')
  })
})

test('every page of the walk prints commands', () => {
  for (const page of pages) expect(blocksOf(page).flat().length, page).toBeGreaterThan(0)
})

/** Of which clients the manual shows a file. */
const shown = {
  'Claude Desktop': 'claude-desktop',
  Cursor: 'cursor',
  'VS Code': 'vscode',
  opencode: 'opencode',
}

describe('the file of', () => {
  beforeAll(() => moveIn('the files'))

  test.for(Object.entries(shown))(
    '%s is shown as it is written',
    { timeout: 60_000 },
    async ([title, client]) => {
      const manual = readFileSync('docs/connect-a-client.md', 'utf8')
      const part = manual.split(/^## /m).find((each) => each.startsWith(`${title}\n`)) ?? ''
      const [, file = ''] = /^```json\n([^`]+)^```/m.exec(part) ?? []
      const written = await run(
        `npx -y @pith-mcp/docs-mcp add ${client} https://docs.example.org/ --print`,
      )
      expect(JSON.parse(file)).toEqual(
        JSON.parse(written.slice(written.indexOf('{'), written.lastIndexOf('}') + 1)),
      )
    },
  )
})
