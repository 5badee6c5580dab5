import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  listed,
  notes,
  npm,
  startListing,
} from '../../../../packages/registry/test/registry-world.ts'
import { configure, until } from './aggregator-process.ts'

const { folder, config, args, remove } = configure({})
const [main = '', ...options] = args
let registry: Awaited<ReturnType<typeof startListing>>
beforeAll(async () => {
  const old = listed({ name: 'com.acme/notes-old', packages: [npm()] }, { status: 'deprecated' })
  registry = await startListing([notes, old, { server: { name: 7 } } as never])
})
afterAll(() => {
  registry.close()
  remove()
})

/** Of util-linux: runs a command in a terminal. */
const terminal = '/usr/bin/script'

/** No secret is stored: the keychain of this machine is not for tests. */
const env = { ...process.env, TOKEN: 'x' }

/** In a process of its own: the stand-in answers from this one. */
async function run(...words: string[]) {
  const argv = [main, 'registry', ...words, ...options, '--registry', registry.url]
  const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const read = (stream: NodeJS.ReadableStream, parts: string[] = []) => {
    stream.setEncoding('utf8').on('data', (part: string) => parts.push(part))
    return parts
  }
  const [stdout, stderr] = [read(child.stdout), read(child.stderr)]
  const [status] = await once(child, 'close')
  return { status, stdout: stdout.join(''), stderr: stderr.join('') }
}

test('registry search lists what matches, and says what is left out', async () => {
  expect(await run('search', 'notes')).toEqual({
    status: 0,
    stdout:
      'com.acme/notes 1.2.0 [npm, remote] Keeps notes\n1 deprecated server left out: use --deprecated.\n',
    stderr: '',
  })
  expect((await run('search', 'notes', '--deprecated')).stdout).toContain(
    'com.acme/notes-old 1.2.0 [npm, deprecated]',
  )
  const { stdout } = await run('search', 'notes', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ servers: [{ name: 'com.acme/notes' }], hidden: 1 })
  expect(await run('search', 'nothing')).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('Try one word'),
  })
  expect((await run('search', 'time')).stdout).toMatch(/^time {2}\[pypi, built in\]/)
})

test('a registry that fails is an error, after the built-in servers', async () => {
  const { url, close } = await startListing([])
  close()
  const argv = ['registry', 'search', 'time', '--registry', url]
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...argv], {
    encoding: 'utf8',
  })
  expect([status, stdout.startsWith('time ')]).toEqual([1, true])
  expect(stderr).toContain(`registry search: ${url} cannot be reached (ECONNREFUSED).`)
})

describe('registry add', () => {
  test.each<[string[], RegExp]>([
    [[], /Enter one server/],
    [['a', 'b'], /Enter one server/],
    [['com.acme/nothing'], /no server com\.acme\/nothing in http/],
    [['com.acme/notes', '--package', '1'], /missing: --set NOTES_TOKEN=… --set folder=…/],
    [['com.acme/notes', '--package', '1', '--set', 'x'], /--set must have the form INPUT=VALUE/],
    [
      [
        'com.acme/notes',
        '--package',
        '1',
        '--set',
        'folder=/n',
        '--set',
        'NOTES_TOKEN=${T}',
        '--set',
        'x=y',
      ],
      /There is no input x\. Inputs: NOTES_TOKEN, NOTES_LEVEL, folder\./,
    ],
    [['com.acme/notes', '--package', '3'], /Select one of these with --package 1, --remote 1/],
  ])('%j says what is wrong, and writes nothing', async (words, reason) => {
    const before = readFileSync(config, 'utf8')
    const { status, stderr } = await run('add', ...words)
    expect([status, readFileSync(config, 'utf8')]).toEqual([2, before])
    expect(stderr).toMatch(reason)
  })

  test('lists the choices with what each means', async () => {
    const { stdout } = await run('add', 'com.acme/notes')
    expect(stdout).toBe(
      [
        '--package 1: npm @acme/notes@1.2.0. Runs on the machine of the aggregator.',
        '--remote 1: streamable-http https://{team}.notes.example/mcp. Sends your calls to {team}.notes.example.\n',
      ].join('\n'),
    )
  })

  test('adds a package by its values, and a version by its name', async () => {
    const set = ['--set', 'folder=/a', '--set', 'folder=/b', '--set', 'NOTES_TOKEN=${TOKEN}']
    const words = ['com.acme/notes', '--as', 'mine', '--package', '1', '--version', '1.2.0', ...set]
    const { status, stdout } = await run('add', ...words)
    expect([status, stdout]).toEqual([
      0,
      `Added mine to ${config}:\n  npx -y @acme/notes@1.2.0 /a /b\n  NOTES_TOKEN=\${TOKEN}\n  NOTES_LEVEL=info\nmine starts when it is first needed. New tools are pinned when they are first seen.\n`,
    ])
    expect(JSON.parse(readFileSync(config, 'utf8')).mcpServers.mine.env.NOTES_TOKEN).toBe(
      '${TOKEN}',
    )
    const again = await run('add', ...words)
    expect([again.status, again.stderr]).toEqual([
      2,
      expect.stringContaining('The server mine already exists.'),
    ])
  })

  test('creates the configuration, and adds a built-in server without the registry', () => {
    const file = join(folder, 'fresh.json')
    const argv = ['registry', 'add', 'filesystem', '--set', 'folder=/srv', '--config', file]
    const own = ['--state', join(folder, 'fresh'), '--registry', 'http://127.0.0.1:9']
    execFileSync(process.execPath, [main, ...argv, ...own], { encoding: 'utf8', env })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      mcpServers: {
        filesystem: {
          command: 'npx',
          args: ['-y', '@modelcontextprotocol/server-filesystem', '/srv'],
        },
      },
    })
  })

  test.skipIf(!existsSync(terminal) || process.platform !== 'linux')(
    'asks at a terminal, and does not show a secret',
    async () => {
      const file = join(folder, 'asked.json')
      writeFileSync(file, '{}')
      const words = ['registry', 'add', 'com.acme/notes', '--remote', '1', '--config', file]
      const own = ['--state', join(folder, 'asked'), '--registry', registry.url]
      const line = [process.execPath, main, ...words, ...own].join(' ')
      const child = spawn(terminal, ['-qec', line, '/dev/null'], { env })
      let said = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text
      })
      await until(() => said.includes('team: Name of the team'))
      child.stdin.write('blue\r')
      await until(() => said.includes('unless it is a reference'))
      child.stdin.write('${TOKEN}\r')
      await once(child, 'exit')
      expect(said).toContain('Added notes')
      // Only in the entry that was written.
      expect(said.split('${TOKEN}')).toHaveLength(2)
      expect(JSON.parse(readFileSync(file, 'utf8')).mcpServers.notes).toEqual({
        url: 'https://blue.notes.example/mcp',
        headers: { Authorization: 'Bearer ${TOKEN}' },
      })
    },
  )
})
