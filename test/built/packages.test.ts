import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import {
  type Analysis,
  checkPackage,
  createPackageFromTarballData,
  type Problem,
} from '@arethetypeswrong/core'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { publint } from 'publint'
import { describe, expect, test } from 'vitest'
import { publishedLibraries, publishedPaths } from '../published.ts'
import { archiveOf, environmentWith, packed } from './packed.ts'

const execute = promisify(execFile)
/** Most bytes of each archive: some more than it has, so that growth is a decision. */
const budgets: Readonly<Record<string, number>> = {
  aggregator: 1_060_000,
  'aggregator-mcp': 2_320_000,
  cleaner: 450_000,
  code: 3_360_000,
  'code-mcp': 3_650_000,
  console: 1_000_000,
  docs: 750_000,
  'docs-mcp': 1_900_000,
  paginator: 60_000,
  scorer: 130_000,
  'ssrf-guard': 12_000,
  telemetry: 32_000,
}

describe.for(publishedPaths)('the archive of %s', (path) => {
  const [room, name = ''] = path.split('/')
  const folder = () => join(packed.installed, 'node_modules/@pith-mcp', name)
  const manifest = () => JSON.parse(readFileSync(join(folder(), 'package.json'), 'utf8'))

  test('is no larger than it has to be', () => {
    const { size } = statSync(archiveOf(name))
    const budget = budgets[name] ?? 0
    expect(size).toBeLessThan(budget)
    expect(size, 'The budget has become too large.').toBeGreaterThan(budget / 2)
  })

  test('has a licence and a README, and nothing that only we need', () => {
    const files = readdirSync(folder(), { recursive: true, encoding: 'utf8' })
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'dist']))
    expect(files.filter((file) => /(^|\/)(test|examples|node_modules)(\/|$)/.test(file))).toEqual(
      [],
    )
    expect(files.filter((file) => /\.(test\.\w+|tsbuildinfo|log)$|bundle\.mjs/.test(file))).toEqual(
      [],
    )
  })

  test('says where it is from, and asks for nothing of this workspace', () => {
    const { repository, engines, mcpName, ...rest } = manifest()
    expect(repository.directory).toBe(path)
    expect(engines.node).toBe('>=20.19')
    expect(JSON.stringify({ ...rest, devDependencies: undefined })).not.toMatch(
      /workspace:|catalog:/,
    )
    if (room === 'apps') expect(mcpName).toBe(`io.github.pith-mcp/${name}`)
  })

  test('is as publint wants it', async () => {
    const tarball = new Uint8Array(readFileSync(archiveOf(name))).buffer
    const { messages } = await publint({ pack: { tarball }, strict: true })
    expect(messages.filter(({ type }) => type === 'error')).toEqual([])
  })

  test.runIf(room === 'packages')(
    'has types that every kind of import finds',
    { timeout: 60_000 },
    async () => {
      const archive = createPackageFromTarballData(new Uint8Array(readFileSync(archiveOf(name))))
      const { types, problems } = (await checkPackage(archive)) as Analysis
      expect(types).toMatchObject({ kind: 'included' })
      const isOfModules = (problem: Problem) =>
        !('resolutionKind' in problem) ||
        !['node10', 'node16-cjs'].includes(problem.resolutionKind ?? '')
      expect(problems.filter(isOfModules)).toEqual([])
    },
  )

  test.runIf(room === 'packages')('has the sources that its maps lead to', () => {
    const maps = readdirSync(join(folder(), 'dist'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.map'))
      .map((file) => join(folder(), 'dist', file))
    for (const map of maps)
      for (const source of JSON.parse(readFileSync(map, 'utf8')).sources)
        expect(statSync(join(dirname(map), source)).isFile()).toBe(true)
  })

  test.runIf(room === 'apps')('needs no package but those that are native or chosen', () => {
    const { dependencies = {}, optionalDependencies = {} } = manifest()
    expect(dependencies).toEqual({})
    expect(Object.keys(optionalDependencies).length).toBeLessThan(2)
  })
})

const examples = publishedLibraries.flatMap((name) =>
  readdirSync(`packages/${name}/examples`).map((file) => `packages/${name}/examples/${file}`),
)

const isLong = process.env['LONG'] === '1'

describe.for(isLong ? ['this Node', 'the newest Node'] : ['this Node'])('with %s', (which) => {
  const environment = () => environmentWith(packed.nodes[which === 'this Node' ? 0 : 1])

  test.for(examples)('%s runs', { timeout: 30_000 }, async (path) => {
    const file = join(packed.installed, path.replaceAll('/', '-').replace(/\.ts$/, '.mjs'))
    cpSync(path, file)
    const { stderr } = await execute('node', [file], { env: environment() })
    expect(stderr).not.toMatch(/Error/)
  })

  describe.for(servers())('$name', ({ name, ready, args, call, answer }) => {
    /** In an empty folder, as npm installed it; in the long tier by npx. */
    const start = () => {
      const cwd = join(packed.archives, '..', `empty ${name} ${which}`)
      mkdirSync(cwd, { recursive: true })
      ready(cwd)
      return {
        command: isLong ? 'npx' : join(packed.installed, 'node_modules/.bin', name),
        words: isLong ? ['--yes', '--prefer-offline', '--package', archiveOf(name), name] : [],
        options: { cwd, env: environment() },
      }
    }

    test('says what it is and what it can do', { timeout: 60_000 }, async () => {
      const { command, words, options } = start()
      const run = (...more: string[]) => execute(command, [...words, ...more], options)
      const { version } = JSON.parse(readFileSync(`apps/${name}/package.json`, 'utf8'))
      expect((await run('--version')).stdout).toBe(`${version}\n`)
      expect((await run('--help')).stdout).toContain(`${name}`)
    })

    test('is entered into a client as npx starts it', { timeout: 60_000 }, async () => {
      const { command, words, options } = start()
      const { stdout } = await execute(command, [...words, 'add', 'cursor', '--print'], options)
      const { mcpServers } = JSON.parse(stdout.slice(stdout.indexOf('{')))
      const [entry] = Object.values(mcpServers) as { command: string; args: string[] }[]
      expect([entry?.command, ...(entry?.args ?? [])].join(' ')).toMatch(
        new RegExp(`^(cmd /c )?npx -y @pith-mcp/${name}\\b`),
      )
    })

    test.for([
      [
        '2026-07-28',
        () => new Client(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
      ],
      ['SDK version 1', () => new FirstClient(info) as unknown as Client],
    ] as const)(
      'answers a client of %s from an empty folder',
      { timeout: 60_000 },
      async ([era, create]) => {
        const { command, words, options } = start()
        const parameters = {
          command,
          args: [...words, ...args],
          ...options,
          stderr: 'pipe' as const,
        }
        const client = create()
        const Transport = era === 'SDK version 1' ? FirstTransport : StdioClientTransport
        await client.connect(new Transport(parameters) as StdioClientTransport)
        const { content } = await client.callTool(call)
        expect(JSON.stringify(content)).toContain(answer)
        await client.close()
      },
    )
  })
})

const info = { name: 'stranger', version: '0' }

function servers() {
  return [
    {
      name: 'docs-mcp',
      ready: (folder: string) =>
        writeFileSync(join(folder, 'p.html'), '<main><h1>Packed</h1><p>It works.</p></main>'),
      args: ['--no-cache', 'p.html'],
      call: { name: 'search_docs', arguments: { query: 'packed' } },
      answer: 'It works.',
    },
    {
      name: 'code-mcp',
      ready: (folder: string) =>
        writeFileSync(join(folder, 'f.py'), 'def works(a):\n    return a\n'),
      args: ['--no-cache', '.'],
      call: { name: 'get_chunk', arguments: { chunk_id: 'f.py#works' } },
      answer: '[works page 1/1 lines 1-2/2 end]',
    },
    {
      name: 'aggregator-mcp',
      ready: (folder: string) => {
        const main = join(packed.installed, 'node_modules/@pith-mcp/docs-mcp/dist/main.js')
        writeFileSync(join(folder, 'p.html'), '<main><h1>Packed</h1><p>It works.</p></main>')
        const docs = { command: 'node', args: [main, '--no-cache', join(folder, 'p.html')] }
        writeFileSync(join(folder, 'c.json'), JSON.stringify({ mcpServers: { docs } }))
      },
      args: ['--config', 'c.json', '--no-state'],
      call: {
        name: 'call',
        arguments: { module: 'docs', tool_name: 'search_docs', params: { query: 'packed' } },
      },
      answer: 'It works.',
    },
  ]
}
