import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest'
import { main } from './manual-page.ts'
import { install, run, serveHttp, startSite } from './run-example.ts'

const aggregator = resolve('apps/aggregator-mcp/dist/main.js')
const question = ['install', 'on', 'linux']
const folder = mkdtempSync(join(tmpdir(), 'pith-examples-'))
let site: Awaited<ReturnType<typeof startSite>>
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => {
  site.close()
  rmSync(folder, { recursive: true, force: true })
})

const isLong = process.env['LONG'] === '1'
/** Their packages are many: they are installed in the long tier. */
const installed = ['vercel-ai-sdk', 'langchain']
const inWorkspace = ['aggregator-two-accounts', 'docs-for-one-site']

test('every example is run here', () => {
  const folders = readdirSync('examples', { withFileTypes: true })
  const names = folders.filter((one) => one.isDirectory()).map(({ name }) => name)
  expect(names.sort()).toEqual([...installed, ...inWorkspace].sort())
})

test('docs-for-one-site finds the section and reads it', { timeout: 60_000 }, async () => {
  const { code, output } = await run(process.execPath, ['ask.mjs', site.url, ...question], {
    cwd: 'examples/docs-for-one-site',
    env: { HOME: folder, USERPROFILE: folder, LOCALAPPDATA: folder, XDG_CACHE_HOME: folder },
    timeout: 50_000,
  })
  expect(output).toContain(`${site.url}install#linux`)
  expect(output).toMatch(/\[Install › On Linux · .*\n<page_text>\n## On Linux/)
  expect(output).toContain('ferry-install --here')
  expect(code).toBe(0)
})

test('docs-for-one-site says what went wrong', { timeout: 60_000 }, async () => {
  const { code, output } = await run(process.execPath, ['ask.mjs', 'http://127.0.0.1:1/', 'x'], {
    cwd: 'examples/docs-for-one-site',
    env: { HOME: folder, USERPROFILE: folder, LOCALAPPDATA: folder, XDG_CACHE_HOME: folder },
    timeout: 50_000,
  })
  expect(output).toContain('http://127.0.0.1:1/')
  expect(output).not.toContain('TypeError')
  expect(code).toBe(1)
})

test.runIf(isLong)(
  'aggregator-two-accounts keeps two memories apart',
  { timeout: 260_000 },
  async () => {
    const { code, output } = await run(process.execPath, ['run.mjs'], {
      cwd: 'examples/aggregator-two-accounts',
      // The servers are installed here: npx has nothing to fetch.
      env: { npm_config_offline: 'true' },
      timeout: 240_000,
    })
    expect(output).toContain('tools: search_tools, get_module_schema, call, batch, read_more\n')
    expect(output).toContain('all servers: everything, files, memory.')
    expect(output).toContain('home: Ada\nwork: Grace\n')
    expect(output).toContain('--- read\nThe sum: The sum of 2 and 40 is 42.')
    expect(code).toBe(0)
  },
)

/** A copy of an example with all it needs. */
async function installedCopy(name: string, { skip }: TestContext): Promise<string> {
  const copy = join(folder, name)
  cpSync(join('examples', name), copy, { recursive: true })
  if (!(await install(copy))) skip('the registry of npm cannot be reached')
  return copy
}

/** A Node of at least 22: this one, else one that npm brings. */
async function newerNode({ skip }: TestContext): Promise<string> {
  if (Number.parseInt(process.versions.node, 10) >= 22) return process.execPath
  const place = join(folder, 'node')
  mkdirSync(place)
  writeFileSync(join(place, 'package.json'), '{ "private": true }')
  if (!(await install(place, ['node@26.10.0']))) skip('the registry of npm cannot be reached')
  return join(place, 'node_modules', 'node', 'bin', 'node')
}

const answers = (output: string): void => {
  expect(output).toMatch(/called: .*search_docs.*"query":"install on linux"/)
  expect(output).toMatch(/called: .*get_doc_section.*install#linux/)
  expect(output).toMatch(/\n\[Install › On Linux · .*\n<page_text>\n## On Linux/)
  expect(output).toContain('ferry-install --here')
}

test.runIf(isLong)(
  'vercel-ai-sdk lists the tools and answers in a loop',
  {
    timeout: 600_000,
  },
  async (context) => {
    const cwd = await installedCopy('vercel-ai-sdk', context)
    const node = await newerNode(context)
    const env = { DOCS_MCP_TOKEN: 'token-of-the-test' }
    const { url, close } = await serveHttp(main, ['--no-cache', site.url], env)
    try {
      const { code, output } = await run(node, ['ask.mjs', url, ...question], {
        cwd,
        env,
        timeout: 60_000,
      })
      expect(output).toMatch(/^tools: search_docs, .*get_doc_section/)
      answers(output)
      expect(code).toBe(0)
      const vain = await run(node, ['ask.mjs', url, 'xyzzyq'], { cwd, env, timeout: 60_000 })
      expect(vain.output).toContain('xyzzyq')
      expect(vain.output).not.toContain('get_doc_section {')
      expect(vain.code).toBe(0)
    } finally {
      await close()
    }
  },
)

test.runIf(isLong)(
  'langchain does the same through the aggregator',
  { timeout: 600_000 },
  async (context) => {
    const cwd = await installedCopy('langchain', context)
    const docs = { command: process.execPath, args: [main, '--no-cache', site.url] }
    const config = join(folder, 'aggregator.json')
    writeFileSync(config, JSON.stringify({ mcpServers: { docs } }))
    const env = { AGGREGATOR_MCP_TOKEN: 'token-of-the-test' }
    const flags = ['--config', config, '--state', join(folder, 'state')]
    const { url, close } = await serveHttp(aggregator, flags, env)
    try {
      const approve = [aggregator, 'pin', 'approve', 'docs', '--all', ...flags]
      const inFolder = { cwd, env, timeout: 20_000 }
      await expect
        .poll(async () => (await run(process.execPath, approve, inFolder)).code, inFolder)
        .toBe(0)
      const { code, output } = await run(process.execPath, ['ask.mjs', url, ...question], {
        cwd,
        env,
        timeout: 60_000,
      })
      expect(output).toMatch(/^tools: search_tools, get_module_schema, call, batch, read_more\n/)
      answers(output)
      expect(code).toBe(0)
      const vain = await run(process.execPath, ['ask.mjs', url, 'xyzzyq'], {
        cwd,
        env,
        timeout: 60_000,
      })
      expect(vain.output).toContain('xyzzyq')
      expect(vain.output).not.toContain('get_doc_section {')
      expect(vain.code).toBe(0)
    } finally {
      await close()
    }
  },
)
