import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../../src/config/read-config.ts'
import { describeSandbox } from '../../../src/upstream/sandbox/describe-sandbox.ts'
import { type SandboxHost, thisHost } from '../../../src/upstream/sandbox/host/host.ts'
import { sandboxOf } from '../../../src/upstream/sandbox/sandbox-of.ts'
import { createPrey, type Prey, startTrying, type Trying, tryingServer } from './try-in-sandbox.ts'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const isSound = major >= 26 || minor >= ({ 20: 20, 22: 22, 24: 13, 25: 3 }[major] ?? Infinity)
const cutsNetwork = major >= 25

let prey: Prey
let trying: Trying | undefined
beforeAll(async () => {
  prey = await createPrey()
})
afterEach(() => trying?.stop())
afterAll(() => prey.remove())

const start = async (sandbox: object, more: object = {}) => {
  trying = await startTrying(
    { sandbox: { by: 'node', network: true, ...sandbox }, ...more },
    {
      ...process.env,
      OUR_TOKEN: 'a token of ours 1',
    },
  )
  return trying.tried
}

describe.skipIf(!isSound)('a server in the permission model of Node', () => {
  test('reads, writes and starts nothing, and sees no variable of ours', async () => {
    const tried = await start({})
    expect(await tried('read', { path: prey.at('secret') })).toBe('refused: ERR_ACCESS_DENIED')
    expect(await tried('write', { path: prey.at('evil') })).toBe('refused: ERR_ACCESS_DENIED')
    expect(await tried('spawn')).toBe('refused: ERR_ACCESS_DENIED')
    expect(await tried('sqlite', { path: prey.at('evil') })).toMatch(/^refused/)
    expect(await tried('variable', { name: 'OUR_TOKEN' })).toBe('done: none')
    expect(await tried('read', { path: `/proc/${process.pid}/environ` })).toMatch(/^refused/)
    expect(prey.isThere('evil')).toBe(false)
  })

  test('can do what it is allowed', async () => {
    const tried = await start(
      {
        files: { read: [prey.at('docs')], write: [prey.at('data')] },
        env: ['PATH', 'OUR_TOKEN'],
      },
      { cwd: prey.at('docs') },
    )
    expect(await tried('read', { path: prey.at('docs', 'page') })).toBe('done: a page')
    expect(await tried('write', { path: prey.at('docs', 'x') })).toMatch(/^refused/)
    expect(await tried('write', { path: prey.at('data', 'x') })).toBe('done: written')
    expect(await tried('tcp', { port: prey.port })).toBe('done: connected')
    expect(await tried('variable', { name: 'OUR_TOKEN' })).not.toBe('done: none')
    expect(await tried('folder')).toBe(`done: ${prey.at('docs')}`)
  })

  test('that may read all files reads none of the running system', async () => {
    const tried = await start({ files: 'read' })
    expect(await tried('read', { path: '/etc/passwd' })).toContain('root')
    expect(await tried('read', { path: `/proc/${process.pid}/environ` })).toMatch(/^refused/)
    expect(await tried('write', { path: prey.at('evil') })).toMatch(/^refused/)
  })

  test.runIf(cutsNetwork)('without a network reaches nobody', async () => {
    const tried = await start({ network: false })
    expect(await tried('tcp', { port: prey.port })).toMatch(/^refused/)
  })

  test.skipIf(cutsNetwork)(
    'is not started without a network when that Node cannot cut it off',
    async () => {
      const tried = await start({ network: false })
      expect(await tried('folder')).toContain('cannot block the network: install bubblewrap')
    },
  )

  test('runs a program that is a package, with what it needs', async () => {
    writeFileSync(prey.at('package.json'), '{"type": "module"}')
    copyFileSync(tryingServer, prey.at('docs', 'server.js'))
    const tried = await start({}, { args: [prey.at('docs', 'server.js')] })
    expect(await tried('folder')).toMatch(/^done/)
    writeFileSync(prey.at('package.json'), '{}')
  })

  test.each([
    ['a variable', { env: { NODE_OPTIONS: '--allow-fs-read=*' } }, 'variable NODE_OPTIONS'],
    ['code that is loaded first', { env: { LD_PRELOAD: '/x.so' } }, 'variable LD_PRELOAD'],
    ['an option', { args: ['--allow-fs-read=*', tryingServer] }, 'option --allow-fs-read'],
    [
      'an option spelt otherwise',
      { args: ['--allow_child_process', tryingServer] },
      '--allow-child-process',
    ],
    [
      'an option that takes it back',
      { args: ['--no-permission', tryingServer] },
      '--no-permission',
    ],
    ['a file of variables', { args: ['--env-file=x', tryingServer] }, 'option --env-file'],
    [
      'a path that stands for others',
      { sandbox: { by: 'node', network: true, files: { read: ['/etc/*'] } } },
      '/etc/* does not exist',
    ],
    ['another command', { command: 'npx' }, 'requires the command node, not npx'],
  ])('is not started with %s that could undo it', async (_what, more, said) => {
    expect(await (await start({}, more))('folder')).toContain(said)
  })

  test('is not started with a path that Node would read as a pattern', async () => {
    for (const name of ['a,b', 'c*']) {
      writeFileSync(prey.at(name), '')
      const tried = await start({ files: { read: [prey.at(name)] } })
      expect(await tried('folder')).toContain('does not accept paths with * or a comma')
      await trying?.stop()
    }
  })

  test('gets no option from a variable of ours that is let through', async () => {
    trying = await startTrying(
      { sandbox: { by: 'node', network: true, env: ['NODE_OPTIONS'] } },
      { NODE_OPTIONS: '--allow-fs-read=*' },
    )
    expect(await trying.tried('folder')).toContain('variable NODE_OPTIONS')
  })

  test('cannot have more shown by a link in what it writes', async () => {
    symlinkSync(prey.folder, prey.at('data', 'trap'))
    const tried = await start({
      files: { read: [join(prey.at('data'), 'trap')], write: [prey.at('data')] },
    })
    expect(await tried('folder')).toMatch(/trap leads out of/)
  })
})

describe('what enforces a sandbox', () => {
  const none = async (): Promise<never> => {
    throw new Error('bubblewrap is not installed: install it')
  }
  const nodeOf = (text: string): SandboxHost['nodeVersion'] => {
    const [major = 0, minor = 0] = text.split('.').map(Number)
    return async () => ({ text, major, minor })
  }
  const reportOf = async (entry: object, machine: SandboxHost): Promise<string> => {
    const text = JSON.stringify({
      mcpServers: { it: { command: process.execPath, args: [tryingServer], ...entry } },
    })
    const { servers } = await readConfig(text, {})
    const report = servers[0] && (await sandboxOf(servers[0], machine))
    return report ? describeSandbox(report) : 'no sandbox'
  }

  test.each([
    [
      'bubblewrap where it is',
      {},
      {
        findBubblewrap: async () => ({
          path: '/usr/bin/bwrap',
          knowsSize: true,
          refusesNamespaces: true,
        }),
      },
      /^bubblewrap; no network/,
    ],
    [
      'else Node, if that enforces all',
      { network: true },
      {},
      /^the permission model of Node; network/,
    ],
    [
      'else Node without a network, if it can',
      {},
      { nodeVersion: nodeOf('25.9.0') },
      /^the permission model of Node; no network/,
    ],
    [
      'else nothing, and both reasons',
      {},
      {},
      /^none; .*not installed: install it\. Another backend cannot be used either: Node 22\.22\.0 cannot block/,
    ],
    [
      'nothing where bubblewrap is asked for and missing',
      { by: 'bubblewrap', network: true },
      {},
      /^none; .*not installed/,
    ],
    [
      'nothing with a Node that has holes',
      { by: 'node', network: true },
      { nodeVersion: nodeOf('22.14.0') },
      /^none; .*known holes: update Node/,
    ],
    [
      'nothing with a Node that has no such thing',
      { by: 'node', network: true },
      { nodeVersion: nodeOf('18.20.0') },
      /^none; .*is missing/,
    ],
  ])('is %s', async (_what, sandbox, machine, said) => {
    const here = { ...thisHost, findBubblewrap: none, nodeVersion: nodeOf('22.22.0') }
    expect(await reportOf({ sandbox }, { ...here, ...machine })).toMatch(said)
  })

  test('is nothing for a server without one', async () => {
    expect(await reportOf({}, thisHost)).toBe('no sandbox')
  })
})
