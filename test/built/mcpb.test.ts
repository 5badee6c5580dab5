import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import {
  getMcpConfigForManifest,
  type McpbManifestAny,
  unpackExtension,
  validateManifest,
} from '@anthropic-ai/mcpb'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pith-bundles-'))
  execFileSync(process.execPath, ['scripts/pack-mcpb.mjs', folder], { stdio: 'pipe' })
  mkdirSync(join(folder, 'notes'))
  writeFileSync(join(folder, 'notes/walrus.md'), '# Walrus\n\nIt has tusks.\n')
  writeFileSync(join(folder, 'notes/tusk.py'), 'def measure_tusk(a):\n    return a\n')
  const docs = { command: process.execPath, args: [resolve('apps/docs-mcp/dist/main.js')] }
  writeFileSync(join(folder, 'servers.json'), JSON.stringify({ mcpServers: { docs } }))
}, 120_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

// Part of a release, as its rehearsal is.
describe.runIf(process.env['LONG'] === '1').each([
  {
    app: 'docs-mcp',
    settings: () => ({ folders: [join(folder, 'notes')], offline: true }),
    call: { name: 'search_docs', arguments: { query: 'tusks' } },
    answer: 'Walrus',
  },
  {
    app: 'code-mcp',
    settings: () => ({ folders: [join(folder, 'notes')] }),
    call: { name: 'find_function', arguments: { query: 'measure tusk' } },
    answer: 'measure_tusk',
  },
  {
    app: 'aggregator-mcp',
    settings: () => ({ config: join(folder, 'servers.json') }),
    call: { name: 'search_tools', arguments: { query: 'rows of a table' } },
    answer: 'search_table',
  },
])('the bundle of $app', ({ app, settings, call, answer }) => {
  let unpacked: string
  let manifest: McpbManifestAny

  beforeAll(async () => {
    unpacked = join(folder, app)
    await unpackExtension({
      mcpbPath: join(folder, `${app}.mcpb`),
      outputDir: unpacked,
      silent: true,
    })
    manifest = JSON.parse(readFileSync(join(unpacked, 'manifest.json'), 'utf8'))
  })

  test('has a manifest that is valid, and says what the package says', () => {
    expect(validateManifest(join(unpacked, 'manifest.json'))).toBe(true)
    const { version, description } = JSON.parse(readFileSync(`apps/${app}/package.json`, 'utf8'))
    expect(manifest).toMatchObject({ name: app, version, description })
  })

  test('answers when it is started as the manifest says', async () => {
    const client = await start(settings())
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual(
      manifest.tools?.map(({ name }) => name).sort(),
    )
    const { content } = await client.callTool(call)
    expect(JSON.stringify(content)).toContain(answer)
    await client.close()
  }, 60_000)

  test('starts with nothing set but what it needs', async () => {
    const required = Object.entries(settings()).filter(
      ([name]) => manifest.user_config?.[name]?.required,
    )
    const client = await start(Object.fromEntries(required))
    expect((await client.listTools()).tools.length).toBeGreaterThan(0)
    await client.close()
  }, 60_000)

  async function start(userConfig: Record<string, string | boolean | string[]>) {
    const config = await getMcpConfigForManifest({
      manifest,
      extensionPath: unpacked,
      systemDirs: { HOME: homedir() },
      userConfig,
      pathSeparator: '/',
    })
    if (!config?.args) throw new Error('The manifest is not enough to start it.')
    expect(JSON.stringify(config)).not.toContain('${')
    const client = new Client({ name: 'test', version: '0' })
    const { command, args, env } = config
    const home = {
      HOME: folder,
      XDG_STATE_HOME: folder,
      XDG_CACHE_HOME: folder,
      XDG_RUNTIME_DIR: folder,
    }
    const { PATH = '' } = process.env
    await client.connect(
      new StdioClientTransport({ command, args, env: { ...env, ...home, PATH } }),
    )
    return client
  }
})
