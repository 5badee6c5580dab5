import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readConfig, sandboxOf } from '@pith-mcp/aggregator'
import { afterEach, describe, expect, test } from 'vitest'
import { configure, startAggregator, until } from './aggregator-process.ts'

const server = fileURLToPath(
  new URL(
    '../../../../packages/aggregator/test/upstream/sandbox/trying-server.mjs',
    import.meta.url,
  ),
)
const trying = { command: process.execPath, args: [server] }
const boxed = (sandbox: object = {}) => ({ ...trying, sandbox: { by: 'bubblewrap', ...sandbox } })

/** The folder itself has the configuration. */
function dataIn(folder: string): string {
  mkdirSync(join(folder, 'data'), { recursive: true })
  return join(folder, 'data')
}

let end = async (): Promise<void> => {}
afterEach(() => end())

async function open(
  servers: (folder: string) => object,
  stdio?: readonly ('pipe' | 'ignore' | number)[],
  env: (folder: string) => NodeJS.ProcessEnv = () => ({}),
) {
  const first = configure({})
  const write = (mcpServers: object): void =>
    writeFileSync(first.config, JSON.stringify({ mcpServers }))
  write(servers(first.folder))
  const aggregator = await startAggregator(
    first.args,
    { ...process.env, ...env(first.folder) },
    stdio,
  )
  end = async () => {
    await aggregator.stop()
    first.remove()
  }
  return { ...aggregator, ...first, write }
}

const doctor = (args: readonly string[]): string => {
  const [main = '', ...options] = args
  return spawnSync(process.execPath, [main, 'doctor', ...options], {
    encoding: 'utf8',
    timeout: 30_000,
  }).stdout
}

const { servers } = await readConfig(JSON.stringify({ mcpServers: { it: boxed() } }), process.env)
const report = servers[0] && (await sandboxOf(servers[0]))
const missing = report?.by === 'none' ? ` (skipped: ${report.reason})` : ''

describe.skipIf(missing !== '')(`a server in bubblewrap${missing}`, () => {
  test('is kept to what its configuration allows, and doctor says what that is', async () => {
    const { call, args, folder } = await open((folder) => ({
      none: boxed(),
      some: boxed({ files: { write: [dataIn(folder)] } }),
    }))
    const path = join(folder, 'data', 'file')
    expect(await call('none', 'write', { path })).toMatch(/^refused/)
    expect(await call('some', 'write', { path })).toBe('done: written')
    expect(await call('none', 'read', { path })).toMatch(/^refused/)
    const said = doctor(args)
    expect(said).toMatch(/none: ok.*\n {2}sandbox: bubblewrap; no network; .*writes nothing; var/)
    expect(said).toContain(`writes ${join(folder, 'data')}; variables PATH`)
  })

  test('sees nothing of ours, but what is beside it', async () => {
    const { call, config, folder, args } = await open(
      (folder) => {
        writeFileSync(join(folder, 'beside'), 'shown')
        writeFileSync(join(folder, 'token'), 'a-token-of-ours')
        return { it: boxed({ files: { read: [folder] } }) }
      },
      undefined,
      (folder) => ({ AGGREGATOR_MCP_TOKEN_FILE: join(folder, 'token') }),
    )
    expect(await call('it', 'read', { path: join(folder, 'beside') })).toBe('done: shown')
    expect(await call('it', 'list', { path: folder })).toMatch(/^done: beside(?: state)?$/)
    const kept = join(folder, 'state', 'catalog')
    await until(() => existsSync(kept))
    expect(await call('it', 'list', { path: kept })).toBe('refused: ENOENT')
    expect(await call('it', 'read', { path: config })).toBe('refused: ENOENT')
    expect(doctor(args)).toContain(`hides ${config}, ${join(folder, 'state')}`)
  })

  test('ends with all that it started when the aggregator is killed', async () => {
    const { call, child, folder } = await open((folder) => ({
      it: { ...boxed({ files: { write: [dataIn(folder)] } }), args: [server, '--deaf'] },
    }))
    const path = join(folder, 'data', 'time')
    await call('it', 'linger', { path })
    await until(() => existsSync(path))
    child.kill('SIGKILL')
    await new Promise((resolve) => child.once('exit', resolve))
    let last = ''
    await until(() => {
      const now = readFileSync(path, 'utf8')
      const isStill = now === last && Date.now() - Number(now) > 500
      last = now
      return isStill
    }, 10_000)
  })

  test('gets no descriptor that the aggregator was started with', async () => {
    const secret = openSync(server, 'r')
    // Node closes the first ones itself.
    const far = Array.from({ length: 27 }, () => 'ignore' as const)
    const { call } = await open(
      () => ({ boxed: boxed(), plain: trying }),
      ['pipe', 'pipe', 'pipe', ...far, secret],
    )
    closeSync(secret)
    expect(await call('plain', 'descriptors')).toContain('trying-server')
    expect(await call('boxed', 'descriptors')).not.toContain('trying-server')
  })

  test('is restarted when its sandbox changes, and its tools stay approved', async () => {
    const { call, write, stderr } = await open(() => ({ it: trying, other: trying }))
    expect(await call('it', 'variables')).toContain('HOME')
    expect(await call('other', 'variables')).toContain('HOME')
    write({ it: boxed({ env: [] }), other: trying })
    await until(() => stderr().includes('restarted it'))
    expect(await call('it', 'variables')).toBe('done: HOME PWD')
    expect(stderr()).not.toContain('held')
  })
})

test('a server whose sandbox cannot be had is not started, and the others work', async () => {
  const { args, call } = await open(() => ({
    it: { ...trying, sandbox: { files: { read: ['/not/there'] } } },
    other: trying,
  }))
  expect(await call('it', 'variables')).toMatch(/its sandbox cannot be enforced: /)
  expect(await call('other', 'variables')).toContain('PATH')
  expect(doctor(args)).toMatch(
    /^Sandboxes: bubblewrap on Linux; on other systems, only a .*\.\nit: /m,
  )
})
