import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { configure, isAlive, odd, startAggregator, until } from './aggregator-process.ts'
import { sharedProcesses } from './shared-processes.ts'

type Aggregator = Awaited<ReturnType<typeof startAggregator>>

/** A configuration, and a folder for sockets of its own: without it, its process ends. */
function world(mcpServers: object, more?: object) {
  const own = configure(mcpServers, more)
  const runtime = join(own.folder, 'run')
  mkdirSync(runtime, { mode: 0o700 })
  const sockets = join(runtime, 'pith')
  const env = { ...process.env, AGGREGATOR_MCP_SHARE: 'on', XDG_RUNTIME_DIR: runtime }
  const clients: Aggregator[] = []
  onTestFinished(async () => {
    for (const { child } of clients) child.kill('SIGKILL')
    const pids = processes()
    rmSync(runtime, { recursive: true, force: true })
    await until(() => !pids.some(isAlive))
    own.remove()
  })
  const processes = (): number[] => sharedProcesses(runtime)
  async function joined(more: NodeJS.ProcessEnv = {}, flags: string[] = [], cwd = own.folder) {
    const client = await startAggregator(
      [...own.args, ...flags],
      { ...env, ...more },
      undefined,
      cwd,
    )
    clients.push(client)
    return client
  }
  const run = (...words: string[]) =>
    spawnSync(process.execPath, [own.args[0] ?? '', ...words, ...own.args.slice(1)], {
      encoding: 'utf8',
      env,
    })
  return { ...own, env, sockets, processes, join: joined, run }
}

const text = ({ result, error }: Awaited<ReturnType<Aggregator['request']>>): string =>
  result?.content?.[0]?.text ?? `error ${error?.code}: ${error?.message}`

/** Another build of the program. */
function copyBuild(folder: string): string {
  const build = `${folder}/build`
  const app = new URL('../..', import.meta.url).pathname
  cpSync(`${app}/dist`, `${build}/dist`, { recursive: true })
  cpSync(`${app}/package.json`, `${build}/package.json`)
  symlinkSync(`${app}/node_modules`, `${build}/node_modules`)
  return build
}

const isLong = process.env['LONG'] === '1'

describe.runIf(process.platform === 'linux')('one process for all clients of a user', () => {
  test('starts a server once, and ends when they have left', async () => {
    const { join, processes } = world({ a: { ...odd(), per: 'replica' } })
    const none = { AGGREGATOR_MCP_SHARE_MINUTES: '0' }
    const clients = await Promise.all([join(none), join(none), join(none)])
    const pids = await Promise.all(clients.map(({ call }) => call('a', 'pid')))
    expect(new Set(pids).size).toBe(1)
    const [pid] = processes()
    expect(processes()).toHaveLength(1)
    for (const client of clients) await client.stop()
    await until(() => !isAlive(Number(pid)) && !isAlive(Number(pids[0])), 25_000)
  })

  test.runIf(isLong)(
    'gives one in a relative place to those of a folder, and one of a session to each',
    async () => {
      const { join, folder } = world({
        near: { ...odd(), env: { ODD_TOKEN: 'x' } },
        own: { ...odd(), per: 'session' },
      })
      const [x, y] = ['x', 'y'].map((name) => `${folder}/${name}`)
      for (const path of [x, y]) mkdirSync(String(path))
      const clients = [await join({}, [], x), await join({}, [], x), await join({}, [], y)]
      const pidsOf = async (name: string) =>
        Promise.all(clients.map(({ call }) => call(name, 'pid')))
      const [one, two, three] = await pidsOf('near')
      expect([one === two, one === three]).toEqual([true, false])
      expect(new Set(await pidsOf('own')).size).toBe(3)
    },
  )

  test('serves those apart that differ in a variable which the configuration names', async () => {
    const { join, processes, run } = world({
      a: { ...odd(), per: 'replica', env: { ODD_TOKEN: '${TOKEN}' } },
    })
    const clients = [
      await join({ TOKEN: 'first-value', OTHER: '1' }),
      await join({ TOKEN: 'second-value' }),
      await join({ TOKEN: 'first-value', OTHER: '2' }),
    ]
    const [one, two, three] = await Promise.all(clients.map(({ call }) => call('a', 'hash')))
    expect([one === two, one === three]).toEqual([false, true])
    const [a, b, c] = await Promise.all(clients.map(({ call }) => call('a', 'pid')))
    expect([a === b, a === c]).toEqual([false, true])
    expect(processes()).toHaveLength(1)
    // Neither took a call of the other for one of a process that has ended.
    expect(run('journal', '--outcome', 'unknown').stdout).not.toContain('a.')
  })

  test.runIf(isLong)('serves a client by the configuration as it is when it connects', async () => {
    const { join, config } = world({ a: odd() }, { trust: { new: 'allow' } })
    const edit = (change: (file: { mcpServers: object; aggregator: object }) => void) => {
      const file = JSON.parse(readFileSync(config, 'utf8'))
      change(file)
      writeFileSync(config, JSON.stringify(file))
    }
    const first = await join()
    expect(await first.call('a', 'echo', { text: '1' })).toBe('1')
    edit((file) => Object.assign(file.mcpServers, { b: odd() }))
    expect(await (await join()).call('b', 'echo', { text: '2' })).toBe('2')
    // What an aggregator is opened with.
    edit((file) => Object.assign(file.aggregator, { trust: { new: 'hold' } }))
    const held = await join()
    edit((file) => Object.assign(file.mcpServers, { c: odd() }))
    await until(() => held.stderr().includes('added c'))
    expect(await held.call('c', 'echo')).toContain('must review and approve')
    expect(await first.call('a', 'echo', { text: '3' })).toBe('3')
  })

  test.runIf(isLong)('is another one for another home, with the configuration there', async () => {
    const { env, folder, args, processes } = world({ a: odd() })
    for (const name of ['one', 'other']) {
      const HOME = `${folder}/${name}`
      mkdirSync(`${HOME}/.config/pith`, { recursive: true })
      writeFileSync(
        `${HOME}/.config/pith/aggregator.json`,
        JSON.stringify({ mcpServers: { [name]: odd() } }),
      )
      const client = await startAggregator([String(args[0])], { ...env, HOME })
      onTestFinished(() => void client.child.kill('SIGKILL'))
      expect(await client.call(name, 'echo', { text: name })).toBe(name)
    }
    expect(processes()).toHaveLength(2)
  })

  test.each(['2025-11-25', '2026-07-28'])(
    'that is killed ends what waits for it, and another one goes on: %s',
    async (revision) => {
      const { join, processes } = world({ a: odd() })
      const client = await join()
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': revision,
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      }
      const call = (tool_name: string, params: object) =>
        client.request('tools/call', {
          name: 'call',
          arguments: { module: 'a', tool_name, params },
          ...(revision === '2026-07-28' && { _meta }),
        })
      expect(text(await call('echo', { text: 'before' }))).toBe('before')
      const waiting = call('slow', { ms: 60_000 })
      const [pid] = processes()
      await until(() => processes().length === 1)
      process.kill(Number(pid), 'SIGKILL')
      expect(text(await waiting)).toMatch(/^error -32603: .*had an effect is unknown.*not repeated/)
      expect(text(await call('echo', { text: 'after' }))).toBe('after')
      expect(processes()).not.toContain(pid)
    },
  )

  test.runIf(isLong)('ends what a client waited for when its shim is killed', async () => {
    const { join } = world({ a: { ...odd(), per: 'session' } })
    const [one, other] = [await join(), await join()]
    const pid = Number(await one.call('a', 'pid'))
    one.child.kill('SIGKILL')
    await until(() => !isAlive(pid))
    expect(await other.call('a', 'echo', { text: 'on' })).toBe('on')
  })

  test.runIf(isLong)('hands its clients to a newer build, and no call is lost', async () => {
    const { join, folder, args, env, processes } = world({ a: { ...odd(), per: 'replica' } })
    const build = copyBuild(folder)
    const soon = new Date(Date.now() + 60_000)
    utimesSync(`${build}/dist/main.js`, soon, soon)
    const client = await join()
    const [old] = processes()
    const slow = client.call('a', 'slow', { ms: 1_500, text: 'whole' })
    const newer = await startAggregator([`${build}/dist/main.js`, ...args.slice(1)], env)
    onTestFinished(() => void newer.child.kill('SIGKILL'))
    expect(await newer.call('a', 'echo', { text: 'new' })).toBe('new')
    expect(await client.call('a', 'echo', { text: 'still' })).toBe('still')
    expect(await slow).toBe('whole')
    await until(() => !isAlive(Number(old)))
    expect(processes()).toHaveLength(1)
  })

  test.runIf(isLong)('keeps what a client has declared for the process that follows', async () => {
    const { join, processes } = world({ a: odd() })
    const client = await join()
    await client.request('logging/setLevel', { level: 'debug' })
    process.kill(Number(processes()[0]), 'SIGKILL')
    // The first ones may still reach the one that ends.
    const names = async () => (await client.request('tools/list')).result?.tools ?? []
    await expect.poll(names).toContainEqual(expect.objectContaining({ name: 'call' }))
  })

  test.runIf(isLong)(
    'is reached by commands: status, console, and control of servers',
    async () => {
      const { join, run, folder } = world({ a: odd() })
      const client = await join()
      await client.call('a', 'pid')
      await expect.poll(() => run('status').stdout).toMatch(/, stdio, meta, 1 client, /)
      expect(run('status').stdout).toContain(`  client test in ${folder} since 20`)
      expect(run('restart', 'a').stdout).toMatch(/^a in process \d+: ready\.\n$/)
      expect(run('doctor').stdout).toContain(
        'a: one for each folder: it may work in the folder of its client; "cwd" gives it one of its own.',
      )
      const link = run('console', '--print').stdout.trim()
      const { origin } = new URL(link)
      expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
      expect((await fetch(origin)).status).toBe(200)
      // Any other process of the machine could call servers there.
      expect((await fetch(`${origin}/mcp`, { method: 'POST', body: '{}' })).status).toBe(404)
      expect((await fetch(`${origin}/api/v1/servers`)).status).toBe(401)
    },
  )

  test.runIf(isLong)('starts with --no-share next to it, and over HTTP', async () => {
    const { join, run } = world({ a: odd() })
    const shared = await join()
    const alone = await join({}, ['--no-share'])
    const [one, other] = [await shared.call('a', 'pid'), await alone.call('a', 'pid')]
    expect(one).not.toBe(other)
    await expect.poll(() => run('status').stdout.match(/^\d+: since/gm)).toHaveLength(2)
  })

  describe.runIf(isLong)('in spite of', () => {
    test('parameters that are no object, and lines that are no message', async () => {
      const { join } = world({ a: odd() })
      const client = await join()
      for (const params of [null, [], 7, 'x'])
        client.write({ method: 'notifications/initialized', params })
      client.child.stdin?.write('no JSON\nnull\n[]\n"x"\n')
      expect(await client.call('a', 'echo', { text: 'on' })).toBe('on')
    })

    test.each([
      ['of a process that runs', (path: string) => writeFileSync(path, String(process.pid))],
      ['without a process', (path: string) => writeFileSync(path, '')],
      ['that is a folder', (path: string) => mkdirSync(path)],
    ])('a lock %s', async (_what, make) => {
      const { join, sockets, processes } = world({ a: odd() })
      const first = await join()
      const [name] = readdirSync(sockets).filter((file) => file.endsWith('.sock'))
      const [pid] = processes()
      make(`${sockets}/${name}.starting`)
      await first.stop()
      process.kill(Number(pid), 'SIGKILL')
      expect(await (await join()).call('a', 'echo', { text: 'on' })).toBe('on')
      expect(existsSync(`${sockets}/${name}.starting`)).toBe(false)
    })

    test('a process that hangs: clients are served and can be ended', async () => {
      const { join, processes } = world({ a: odd() })
      const before = await join()
      const [pid] = processes()
      process.kill(Number(pid), 'SIGSTOP')
      const client = await join()
      expect(client.stderr()).toMatch(/sent nothing for 5 s: this client has a process of its own/)
      expect(await client.call('a', 'echo', { text: 'on' })).toBe('on')
      const gone = once(before.child, 'exit')
      before.child.kill('SIGTERM')
      before.child.kill('SIGTERM')
      await gone
      process.kill(Number(pid), 'SIGCONT')
    })

    test('a program that is away for a while', async () => {
      const { folder, args, env, processes } = world({ a: odd() })
      const build = copyBuild(folder)
      const client = await startAggregator([`${build}/dist/main.js`, ...args.slice(1)], env)
      onTestFinished(() => void client.child.kill('SIGKILL'))
      const [pid] = processes()
      renameSync(build, `${build}-away`)
      await new Promise((resolve) => setTimeout(resolve, 1_200))
      renameSync(`${build}-away`, build)
      expect(await client.call('a', 'echo', { text: 'on' })).toBe('on')
      expect(processes()).toEqual([pid])
    })

    test('a program that was removed: others start their own, and take over its clients', async () => {
      const { folder, args, env, processes, join } = world({ a: odd() })
      const build = copyBuild(folder)
      const client = await startAggregator([`${build}/dist/main.js`, ...args.slice(1)], env)
      onTestFinished(() => void client.child.kill('SIGKILL'))
      const [pid] = processes()
      rmSync(build, { recursive: true })
      expect(await (await join()).call('a', 'echo', { text: 'on' })).toBe('on')
      await until(() => !isAlive(Number(pid)))
      expect(await client.call('a', 'echo', { text: 'on, too' })).toBe('on, too')
      expect(processes()).toHaveLength(1)
    })

    test('a profile of another client', async () => {
      const { join, run, config } = world({ a: odd() }, { profiles: { p: { servers: [] } } })
      await join({}, ['--profile', 'p'])
      const client = await join()
      const wrong = run('--profile', 'nope')
      expect(wrong.status).toBe(2)
      expect(wrong.stderr).toMatch(
        /--profile nope: There is no such profile.*\nTry aggregator-mcp --help\./,
      )
      const file = JSON.parse(readFileSync(config, 'utf8'))
      writeFileSync(config, JSON.stringify({ mcpServers: { ...file.mcpServers, b: odd() } }))
      await until(() => client.stderr().includes('added b'))
      expect(await client.call('b', 'echo', { text: 'on' })).toBe('on')
    })

    test.each(['-v', '-hv', '--version'])('%s, which no process needs', (flag) => {
      const { run, processes } = world({ a: odd() })
      expect(run(flag).status).toBe(0)
      expect(processes()).toEqual([])
    })
  })

  describe.runIf(isLong)('and no other user', () => {
    test.each([
      ['a folder that others may enter', (folder: string) => chmodSync(folder, 0o755)],
      [
        'a link to another folder',
        (folder: string) => {
          renameSync(folder, `${folder}-else`)
          symlinkSync(`${folder}-else`, folder)
        },
      ],
      [
        'a file',
        (folder: string) => {
          rmSync(folder, { recursive: true })
          writeFileSync(folder, '')
        },
      ],
    ])('%s is not used: a client has a process of its own', async (_what, change) => {
      const { join, sockets, processes } = world({ a: odd() })
      mkdirSync(sockets, { mode: 0o700 })
      change(sockets)
      const client = await join()
      expect(await client.call('a', 'echo', { text: 'served' })).toBe('served')
      expect(client.stderr()).toMatch(/mode 700 of this user.*a process of its own|EEXIST.*its own/)
      expect(processes()).toEqual([])
    })

    test('its folder and socket are of mode 700 and 600', async () => {
      const { join, sockets } = world({ a: odd() })
      await join()
      expect(lstatSync(sockets).mode & 0o777).toBe(0o700)
      const socket = readdirSync(sockets).find((name) => name.endsWith('.sock'))
      expect(lstatSync(`${sockets}/${socket}`).mode & 0o777).toBe(0o600)
    })

    test('a socket that another process has left or holds is replaced', async () => {
      const { join, sockets, processes } = world({ a: odd() })
      await (await join()).stop()
      process.kill(Number(processes()[0]), 'SIGKILL')
      await until(() => processes().length === 0)
      const [left] = readdirSync(sockets).filter((name) => name.endsWith('.sock'))
      expect(left).toBeDefined()
      expect(await (await join()).call('a', 'echo', { text: 'on' })).toBe('on')
      expect(processes()).toHaveLength(1)
    })

    test('what says nothing, or no hello, is answered and bounded', async () => {
      const { join, sockets, processes } = world({ a: odd() })
      const client = await join()
      const socket = `${sockets}/${readdirSync(sockets).find((name) => name.endsWith('.sock'))}`
      for (const said of ['', 'no JSON\n', '{}\n', '[]\n', '{"argv":7}\n', 'null\n']) {
        const raw = connect(socket).on('error', () => {})
        await once(raw, 'connect')
        raw.resume().end(said)
        await new Promise((resolve) => raw.once('close', resolve))
      }
      expect(await client.call('a', 'echo', { text: 'on' })).toBe('on')
      expect(processes()).toHaveLength(1)
    })
  })
})
