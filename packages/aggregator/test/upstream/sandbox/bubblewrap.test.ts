import { readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { describeSandbox } from '../../../../sandbox/src/describe-sandbox.ts'
import { thisHost } from '../../../../sandbox/src/host/host.ts'
import { inSandbox } from '../../../../sandbox/src/in-sandbox.ts'
import { sandboxOf } from '../../../../sandbox/src/sandbox-of.ts'
import type { StdioServer } from '../../../../servers/src/config/server-config.ts'
import { createPrey, type Prey, startTrying, type Trying, tryingServer } from './try-in-sandbox.ts'

const missing = await thisHost.findBubblewrap().then(
  () => '',
  (error: Error) => ` (skipped: ${error.message})`,
)

let prey: Prey
let trying: Trying
beforeAll(async () => {
  prey = await createPrey()
})
afterEach(() => trying?.stop())
afterAll(() => prey.remove())

const start = async (sandbox: object, more: object = {}) => {
  trying = await startTrying(
    { sandbox: { by: 'bubblewrap', ...sandbox }, ...more },
    {
      ...process.env,
      OUR_TOKEN: 'a token of ours 1',
    },
  )
  return trying.tried
}

describe.skipIf(missing !== '')(`a server in bubblewrap${missing}`, () => {
  test('that is allowed nothing can do nothing', async () => {
    const tried = await start({})
    expect(await tried('read', { path: prey.at('secret') })).toBe('refused: ENOENT')
    expect(await tried('read', { path: '/etc/shadow' })).toBe('refused: ENOENT')
    expect(await tried('write', { path: '/usr/bin/evil' })).toBe('refused: EROFS')
    expect(await tried('tcp', { port: prey.port })).toBe('refused: ECONNREFUSED')
    expect(await tried('local', { path: prey.at('docs', 'socket') })).toMatch(/^refused/)
    expect(await tried('local', { path: `\0${prey.folder}` })).toMatch(/^refused/)
    expect(await tried('variable', { name: 'OUR_TOKEN' })).toBe('done: none')
    expect(await tried('variables')).not.toContain('OUR_TOKEN')
    expect(await tried('list', { path: '/tmp' })).not.toContain('pith-sandbox-')
    expect(await tried('write', { path: '/tmp/its own' })).toBe('done: written')
  })

  test('makes no namespaces of its own, in which it would be root', async () => {
    const { refusesNamespaces } = await thisHost.findBubblewrap()
    const tried = await start({})
    const said = await tried('namespace')
    const { report } = await inSandbox(trying.server as never)
    if (refusesNamespaces) {
      expect(said).toMatch(/^refused/)
      expect(describeSandbox(report)).not.toContain('namespaces')
    } else expect(describeSandbox(report)).toContain('can create its own namespaces')
  })

  test('whose lack of that is said', async () => {
    const found = await thisHost.findBubblewrap()
    const old = {
      ...thisHost,
      findBubblewrap: async () => ({ ...found, refusesNamespaces: false }),
    }
    await start({})
    const { report, launch } = await inSandbox(trying.server as never, old)
    expect(describeSandbox(report)).toMatch(/its own namespaces.*bubblewrap 0\.8/)
    expect(String(launch.inputs?.[0])).not.toContain('--disable-userns')
  })

  test('fills no device folder, and shares memory within a bound', async () => {
    const tried = await start({})
    expect(await tried('write', { path: '/dev/evil' })).toBe('refused: EROFS')
    expect(await tried('write', { path: '/dev/null' })).toBe('done: written')
    expect(await tried('write', { path: '/dev/shm/own' })).toBe('done: written')
    const filled = await tried('fill', { path: '/dev/shm/big', megabytes: 300 })
    expect(Number(/^done: (\d+)$/.exec(filled)?.[1])).toBeLessThanOrEqual(256)
  })

  test('sees no other process, and none of our variables in theirs', async () => {
    const tried = await start({})
    expect(await tried('processes')).not.toContain('OUR_TOKEN')
    expect(await tried('read', { path: `/proc/${process.pid}/environ` })).toMatch(/^refused/)
  })

  test('can do what it is allowed', async () => {
    const tried = await start(
      {
        files: { read: [prey.at('docs')], write: [prey.at('data')] },
        network: true,
        env: ['PATH', 'OUR_TOKEN'],
      },
      { env: { OWN: 'own' }, cwd: prey.at('docs') },
    )
    expect(await tried('read', { path: prey.at('docs', 'page') })).toBe('done: a page')
    expect(await tried('write', { path: prey.at('docs', 'new') })).toBe('refused: EROFS')
    expect(await tried('write', { path: prey.at('data', 'new') })).toBe('done: written')
    expect(prey.isThere('data', 'new')).toBe(true)
    expect(await tried('tcp', { port: prey.port })).toBe('done: connected')
    expect(await tried('local', { path: prey.at('docs', 'socket') })).toBe('done: connected')
    expect(await tried('variable', { name: 'OUR_TOKEN' })).toContain('done: ')
    expect(await tried('variable', { name: 'OUR_TOKEN' })).not.toBe('done: none')
    expect(await tried('variable', { name: 'OWN' })).toBe('done: own')
    expect(await tried('folder')).toBe(`done: ${prey.at('docs')}`)
    expect(await tried('spawn')).toBe('done: spawned')
    expect(await tried('read', { path: prey.at('secret') })).toBe('refused: ENOENT')
  })

  test('and all files to read reads them, without the sockets and processes of others', async () => {
    const tried = await start({ files: { read: ['/', prey.folder] } })
    expect(await tried('read', { path: prey.at('secret') })).toBe('done: the secret')
    expect(await tried('read', { path: '/etc/passwd' })).toContain('root')
    expect(await tried('write', { path: prey.at('secret') })).toBe('refused: EROFS')
    expect(await tried('local', { path: prey.at('docs', 'socket') })).toBe('refused: EAFNOSUPPORT')
    expect(await tried('list', { path: '/run' })).toBe('done: ')
    expect(await tried('processes')).not.toContain('OUR_TOKEN')
  })

  test('keeps to what it reads inside of what it writes', async () => {
    const tried = await start({ files: { read: [prey.at('docs')], write: [prey.folder] } })
    expect(await tried('write', { path: prey.at('docs', 'page') })).toBe('refused: EROFS')
    expect(await tried('write', { path: prey.at('beside') })).toBe('done: written')
  })

  test('follows no link out of what it is allowed', async () => {
    const tried = await start({ files: { write: [prey.at('data')] } })
    await tried('link', { path: prey.at('data', 'out'), to: prey.at('secret') })
    expect(await tried('read', { path: prey.at('data', 'out') })).toBe('refused: ENOENT')
  })

  test('cannot have more shown by a link that it put where a listed path was', async () => {
    symlinkSync(prey.folder, prey.at('data', 'trap'))
    const tried = await start({
      files: { read: [prey.at('data', 'trap')], write: [prey.at('data')] },
    })
    expect(await tried('folder')).toMatch(/trap leads out of .*data to .*sandbox\.files\.read/)
  })

  test('that is named by a link is found there', async () => {
    symlinkSync(prey.at('docs'), prey.at('alias'))
    const tried = await start({ files: { read: [prey.at('alias')] } })
    expect(await tried('read', { path: prey.at('alias', 'page') })).toBe('done: a page')
    expect(await tried('read', { path: prey.at('secret') })).toBe('refused: ENOENT')
  })

  test('does not touch the settings of the kernel, even for root', async () => {
    const before = readFileSync('/proc/sys/kernel/core_pattern', 'utf8')
    const tried = await start({})
    expect(await tried('write', { path: '/proc/sys/kernel/core_pattern' })).toMatch(/^refused/)
    expect(readFileSync('/proc/sys/kernel/core_pattern', 'utf8')).toBe(before)
  })

  test('has its variables where nobody reads them in the list of processes', async () => {
    const tried = await start({}, { env: { API_TOKEN: 'not-in-the-list-1' } })
    expect(await tried('variables')).toContain('API_TOKEN')
    expect(commandLines()).not.toContain('not-in-the-list-1')
  })

  test('gives bubblewrap itself nothing to load', async () => {
    const env = { LD_PRELOAD: prey.at('data', 'evil.so') }
    const tried = await start({ env: ['PATH', 'LD_LIBRARY_PATH'] }, { env })
    expect(await tried('variable', { name: 'LD_PRELOAD' })).toContain('evil.so')
    const { sandbox, ...server } = trying.server as StdioServer
    if (sandbox === undefined) throw new Error('no sandbox')
    expect((await inSandbox({ ...server, sandbox })).launch.env).toEqual({})
  })

  test('is given no option by the value of a variable', async () => {
    await start({})
    const { sandbox, ...server } = trying.server as StdioServer
    if (sandbox === undefined) throw new Error('no sandbox')
    const env = { A: 'x\0--bind\0/\0/' }
    await expect(inSandbox({ ...server, env, sandbox })).rejects.toThrow('character U+0000')
  })

  test('says what is in force', async () => {
    await start({ files: { read: [prey.at('docs')] }, env: ['PATH'] })
    const report = await sandboxOf(trying.server)
    expect(report).toMatchObject({
      by: 'bubblewrap',
      network: false,
      writes: [],
      variables: ['PATH'],
    })
    expect(describeSandbox(report ?? { by: 'none', reason: '' })).toMatch(
      /^bubblewrap; no network; reads \/usr, .*docs.*; writes nothing; variables PATH$/,
    )
  })

  test.each([
    ['a path that is not there', { files: { read: ['/not/there'] } }, '/not/there does not exist'],
    ['the running system', { files: { read: ['/proc/1'] } }, 'is in /proc'],
    ['all of the home folder to write', { files: { write: ['~'] } }, 'contains the home folder'],
  ])('is not started with %s', async (_what, sandbox, said) => {
    const tried = await start(sandbox)
    expect(await tried('folder')).toContain(said)
  })

  test('ends with all that it started, whatever that heeds', async () => {
    const tried = await start(
      { files: { write: [prey.at('data')] } },
      { args: [tryingServer, '--deaf'] },
    )
    const path = prey.at('data', 'time')
    expect(await tried('linger', { path })).toBe('done: started')
    await until(() => prey.isThere('data', 'time'))
    await trying.stop()
    const last = readFileSync(path, 'utf8')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(readFileSync(path, 'utf8')).toBe(last)
  })
})

const commandLines = (): string =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      } catch {
        return ''
      }
    })
    .join('\n')

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 20))
}
