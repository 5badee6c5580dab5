import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientWithRoots, eras, type ListRoots } from './client-with-roots.ts'

const main = resolve('apps/code-mcp/dist/main.js')
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'code-mcp-built-')))
const info = { name: 'test', version: '0' }

beforeAll(() => {
  cpSync('packages/paginator/src', join(folder, 'src'), { recursive: true })
  // Takes the parser long: everything is open until the end.
  writeFileSync(join(folder, 'deep.js'), 'a=['.repeat(200_000))
  writeFileSync(join(folder, 'nested.js'), `${'function f(){'.repeat(50_000)}${'}'.repeat(50_000)}`)
  writeFileSync(join(folder, 'line.js'), `a=${'x'.repeat(2_000_000)}`)
  writeFileSync(join(folder, 'open.c'), 'int f(void){'.repeat(100_000))
  writeFileSync(join(folder, 'many.js'), 'function target(){}\n'.repeat(30_000))
  writeFileSync(
    join(folder, 'large.c'),
    Array.from({ length: 40_000 }, (_, at) => `int f${at}(int a) { return a + ${at}; }\n`).join(''),
  )
})
afterAll(() => rmSync(folder, { recursive: true }))

const run = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    encoding: 'utf8',
    cwd: folder,
    env: { ...process.env, CODE_MCP_CACHE: 'off' },
  })
  return { status, stdout, stderr }
}

describe('code-mcp is served over stdio', () => {
  const command = {
    command: process.execPath,
    args: [main, '--no-cache', folder],
    stderr: 'pipe' as const,
  }
  test.each(eras)('to a client of %s', async (era) => {
    const client = await clientWithRoots(era, { ...command, cwd: folder, env: {} })
    const { tools } = await client.listTools()
    expect(tools).toHaveLength(5)
    const { content } = await client.callTool({
      name: 'get_chunk',
      arguments: { chunk_id: 'src/page-at.ts#pageAt' },
    })
    expect(content).toMatchObject([{ text: expect.stringContaining('return cut(characters') }])
    await client.close()
  })

  test('a file that takes too long is read by lines, and others are answered meanwhile', async () => {
    const client = new Client(info)
    const args = [main, '--no-cache', folder, '--parse-timeout', '0.05']
    await client.connect(new StdioClientTransport({ ...command, args }))
    const call = async (name: string, given: Record<string, unknown>) => {
      const { content } = await client.callTool({ name, arguments: given })
      return (content as { text: string }[])[0]?.text ?? ''
    }
    const [slow, quick] = await Promise.all([
      call('get_chunk', { chunk_id: 'deep.js' }),
      call('find_file', { pattern: 'page-at' }),
    ])
    expect(slow).toContain('lines only: parsing timed out')
    expect(quick).toBe('src/page-at.ts')
    await client.close()
  })

  test('while the many symbols of one file are listed, others are answered', async () => {
    const client = new Client(info)
    await client.connect(new StdioClientTransport(command))
    const answered: string[] = []
    const list = async (file_path: string, query?: string) => {
      await client.callTool({ name: 'list_functions_in_file', arguments: { file_path, query } })
      answered.push(file_path)
    }
    // Both files are in memory then: only what is done with them is left.
    for (const file of ['many.js', 'src/page-at.ts']) await list(file)
    for (const query of [undefined, 'target', 'targte/'])
      await Promise.all([list('many.js', query), list('src/page-at.ts')])
    // On a busy machine the second call may come late; without turns it is always answered last.
    const lastEachTime = Array(3).fill(['many.js', 'src/page-at.ts']).flat()
    expect(answered.slice(2)).not.toEqual(lastEachTime)
    await client.close()
  })

  // The same files are parsed within bounds in packages/code.
  test.runIf(process.env['LONG'] === '1')(
    'files that are made to keep it busy are read within bounds, and others meanwhile',
    async () => {
      const client = new Client(info)
      await client.connect(new StdioClientTransport(command))
      const read = (chunk_id: string) =>
        client.callTool({ name: 'get_chunk', arguments: { chunk_id, page_size: 50 } })
      const replies = await Promise.all(['deep.js', 'nested.js', 'line.js', 'open.c'].map(read))
      for (const { content, isError } of replies) {
        expect(isError).toBeFalsy()
        expect((content as { text: string }[])[0]?.text).toMatch(/ page 1\/\d+ lines 1-1\/1 next /)
      }
      await client.close()
    },
    60_000,
  )

  test('ends at SIGTERM with 0, and when its client leaves', async () => {
    for (const end of ['kill', 'stdin'] as const) {
      const child = spawn(process.execPath, [main, '--no-cache', folder], {
        stdio: ['pipe', 'pipe', 'pipe'],
      })
      let out = ''
      child.stdout.on('data', (data) => {
        out += data
      })
      const initialize = {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: info },
      }
      child.stdin.write(`${JSON.stringify(initialize)}\n`)
      while (!out.includes('\n')) await once(child.stdout, 'data')
      if (end === 'kill') child.kill('SIGTERM')
      else child.stdin.end()
      expect(await once(child, 'exit')).toEqual([0, null])
      for (const line of out.trim().split('\n')) expect(JSON.parse(line).jsonrpc).toBe('2.0')
    }
  })
})

describe('without a folder, code-mcp serves', () => {
  const elsewhere = realpathSync(mkdtempSync(join(tmpdir(), 'code-mcp-elsewhere-')))
  const plugin = join(elsewhere, 'plugin')
  mkdirSync(plugin)
  writeFileSync(join(plugin, 'plugin.json'), '{}')
  writeFileSync(join(elsewhere, 'here.txt'), '')
  afterAll(() => rmSync(elsewhere, { recursive: true }))
  const listRoots: ListRoots = () => ({
    roots: [{ uri: 'file:///nowhere/at/all' }, { uri: pathToFileURL(folder).href }],
  })

  /** What `find_file` says in the folder of a client, which starts the server in a folder `cwd`. */
  async function fileFor(era: string, pattern: string, cwd: string, env = {}, open?: ListRoots) {
    const client = await clientWithRoots(era, { args: [main, '--no-cache'], cwd, env }, open)
    const call = { name: 'find_file', arguments: { pattern } }
    // At the same time: each call waits for the folder.
    const results = await Promise.all([client.callTool(call), client.callTool(call)])
    const texts = results.map(({ content }) => (content as { text: string }[])[0]?.text)
    expect(texts[0]).toBe(texts[1])
    await client.close()
    return texts[0]
  }

  describe.each(eras)('to a client of %s', (era) => {
    test('the folders that it has open', async () => {
      expect(await fileFor(era, 'page-at', plugin, {}, listRoots)).toBe('src/page-at.ts')
    })
    test('its project, or the folder in which it is started', async () => {
      const env = { CLAUDE_PROJECT_DIR: folder }
      expect(await fileFor(era, 'page-at', plugin, env)).toBe('src/page-at.ts')
      expect(await fileFor(era, 'here', elsewhere, {}, () => ({ roots: [] }))).toBe('here.txt')
    })
    test('not the folder of a plugin', async () => {
      expect(await fileFor(era, 'plugin', plugin)).toBe(
        `Pass the folder to read. ${plugin} is served only if it is passed explicitly.`,
      )
    })
  })

  test.each(['v1', '2025'])(
    'the folder in which it is started to a client of %s that fails to answer',
    async (era) => {
      const fail: ListRoots = () => {
        throw new Error('It has none.')
      }
      expect(await fileFor(era, 'here', elsewhere, {}, fail)).toBe('here.txt')
    },
  )
})

describe('from the command line', () => {
  test.each([
    [['list', 'src/page-at.ts'], /pageAt · function · \d+–\d+/],
    [['list', 'src/page-at.ts', 'page'], /pageAt · function/],
    [['show', 'src/page-at.ts', 'pageAt'], /^\[pageAt page 1\/1 .*\n.*\n[\s\S]*```typescript\n/],
    [['show', 'src/page-at.ts', '--page-size', '100'], /\[next: --page \d+\.\w{6}\]\n$/],
    [['find', 'page', 'token'], /src\/page-token\.ts#encodePageToken · function/],
    [['files', 'page-*'], /^src\/page-at\.ts\nsrc\/page-token\.ts\n$/],
  ])('answers %j', (args, expected) => {
    expect(run(...args)).toMatchObject({ status: 0, stdout: expect.stringMatching(expected) })
  })

  test('says that nothing has the name, and ends with 1', () => {
    expect(run('find', 'zebra', '--path', 'src/paginate.ts')).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('No function or class name contains a word'),
    })
  })

  test.runIf(process.env['LONG'] === '1')(
    'goes on where it stopped, and gives the same as JSON',
    () => {
      const { stdout } = run('show', 'large.c', 'f39999', '--json')
      expect(JSON.parse(stdout)).toMatchObject({ fileStartLine: 40_000, isPartial: false })
      const first = run('show', 'src/page-token.ts', '--page-size', '300').stdout
      const token = /--page ([\w.]+)/.exec(first)?.[1] ?? ''
      const second = run('show', 'src/page-token.ts', '--page-size', '300', '--page', token)
      expect(second.stdout).toContain(' page 2/')
    },
  )

  test.each([
    [['show'], 2, 'code-mcp: show requires a file.\nTry code-mcp --help.'],
    [['nowhere'], 2, 'There is no folder'],
    [
      ['words'],
      2,
      'The commands are list, show, find, references, files, index, doctor, setup, add, remove.',
    ],
    [['--page-over', 'x'], 2, '--page-over must be a number of tokens, or written as'],
    [['show', 'src/page-at.ts', 'pageAd'], 1, 'Similar names: pageAt'],
    [['show', 'none.ts', 'pageAd'], 1, 'code-mcp files'],
    [['--root', 'none', 'files', 'x'], 1, 'There is no folder'],
  ])('%j ends with %d', (args, status, message) => {
    expect(run(...args)).toMatchObject({
      status,
      stdout: '',
      stderr: expect.stringContaining(message),
    })
  })

  test('says what it can do', () => {
    expect(run('--help').stdout).toContain('code-mcp [folder …]')
    expect(run('--version').stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})
