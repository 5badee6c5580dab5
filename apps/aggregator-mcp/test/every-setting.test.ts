import fs, { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../../packages/base/test/temporary-folder.ts'
import { openEngines } from '../../../packages/replicas/src/engines/engines.ts'
import { startDeadEngine } from '../../../packages/server-kit/test/run/dead-engine.ts'
import { type Way, waysToGive } from '../../../packages/server-kit/test/settings/ways-to-give.ts'
import { askSecurely } from '../../../packages/server-kit/test/tls/ask-securely.ts'
import { writeCertificate } from '../../../packages/server-kit/test/tls/make-certificate.ts'
import { freePort } from '../../../test/engines.ts'
import { parseConfig } from '../src/config.ts'
import { openLogger } from '../src/log/text-logger.ts'
import { openAggregator } from '../src/open/open-aggregator.ts'
import { readConfigFiles } from '../src/read-config-files.ts'
import { settings } from '../src/settings.ts'
import { serveHere, startServers } from './open/serve-here.ts'
import { openReplica } from './replicas/one-replica.ts'

/** A value of a setting, and where what it does is looked for. */
interface Row {
  text: (() => string | Promise<string>) | string
  arrives: (way: Way, text: string) => Promise<void>
}

const key = Buffer.alloc(32, 7).toString('base64')

const tlsFolder = temporaryFolder()
const tls = writeCertificate(tlsFolder)
const withFlag = (way: Way, ...argv: string[]): Way => ({ ...way, argv: [...way.argv, ...argv] })

/** Serves the server `a` with a setting, which is given in this way. */
const serveWith = async ({ argv, environment }: Way, aggregator: object = {}) =>
  serveHere({ mcpServers: await startServers('a', 'b'), aggregator, argv, environment })

/** Settings with that which is given in this way. */
const parsed = ({ argv, environment }: Way) =>
  parseConfig(argv, { HOME: temporaryFolder(onTestFinished), ...environment }).settings

/** As for a command, which does not wait for a database. */
const open = (way: Way) => openEngines(parsed(way), () => {})

/** Where the lines of a logger go, one string for each write. */
function spyOnStderr(): string[] {
  const lines: string[] = []
  const text = vi
    .spyOn(process.stderr, 'write')
    .mockImplementation((line) => Boolean(lines.push(String(line))))
  const json = vi.spyOn(fs, 'writeSync').mockImplementation((_, line) => {
    lines.push(String(line))
    return String(line).length
  })
  onTestFinished(() => {
    text.mockRestore()
    json.mockRestore()
  })
  return lines
}

const engineWith = (way: Way, more: Record<string, string>): Way => ({
  ...way,
  environment: { ...more, ...way.environment },
})

const rows: Record<string, Row> = {
  config: {
    async text() {
      const config = join(temporaryFolder(onTestFinished), 'other.json')
      const mcpServers = await startServers('b')
      const aggregator = { trust: { new: 'allow' } }
      writeFileSync(config, JSON.stringify({ mcpServers, aggregator }))
      return config
    },
    async arrives({ argv, environment }) {
      // Not the file of the test, which is named by a flag.
      const { modules } = await serveHere({ config: false, argv, environment })
      expect(await modules()).toEqual(['b'])
    },
  },
  mode: {
    text: 'full',
    async arrives(way) {
      const { tools } = await serveWith(way)
      expect((await tools()).map(({ name }) => name)).toContain('a__read')
    },
  },
  profile: {
    text: 'p',
    async arrives(way) {
      const { modules } = await serveWith(way, { profiles: { p: { servers: ['b'] } } })
      expect(await modules()).toEqual(['b'])
    },
  },
  prefix: {
    text: 'off',
    async arrives({ argv, environment }) {
      const mcpServers = await startServers('a')
      const { tools } = await serveHere({ mcpServers, argv: [...argv, '-m', 'full'], environment })
      expect((await tools()).map(({ name }) => name)).toContain('read')
    },
  },
  state: {
    text: () => join(temporaryFolder(onTestFinished), 'own'),
    async arrives(way, text) {
      const { read } = await serveWith(way)
      await read()
      expect(readdirSync(text)).toEqual(expect.arrayContaining(['journal', 'pins']))
    },
  },
  // Over stdio only: what they do, the tests of the shared process show.
  share: {
    text: 'off',
    async arrives({ argv, environment }) {
      expect(parseConfig(argv, environment).settings.share).toBe(false)
    },
  },
  shareMinutes: {
    text: '7',
    async arrives({ argv, environment }) {
      expect(parseConfig(argv, environment).settings.shareMinutes).toBe(7)
    },
  },
  http: {
    text: 'localhost:0',
    async arrives(way) {
      expect((await serveWith(way)).origin).toMatch(/^http:\/\/localhost:\d+$/)
    },
  },
  token: {
    text: 'own-token-of-the-owner',
    async arrives(way, token) {
      const { send } = await serveWith(way)
      expect((await send('tools/list', {}, { token })).status).toBe(200)
      expect((await send('tools/list', {}, { token: 'another-token' })).status).toBe(401)
    },
  },
  databaseUrl: {
    text: async () => `postgresql://127.0.0.1:${(await startDeadEngine()).port}/x`,
    async arrives(way) {
      const opening = open(engineWith(way, { PITH_CLUSTER_KEY: key }))
      await expect(opening).rejects.toThrow('The database of PITH_DATABASE_URL cannot be used')
    },
  },
  clusterKey: {
    text: key,
    async arrives(way) {
      const { port } = await startDeadEngine()
      const more = { PITH_DATABASE_URL: `postgresql://127.0.0.1:${port}/x` }
      await expect(open(engineWith(way, more))).rejects.toThrow('cannot be used')
      const without = { name: '', argv: [], environment: more }
      await expect(open(without)).rejects.toThrow('needs PITH_CLUSTER_KEY')
    },
  },
  redisUrl: {
    text: async () => `redis://127.0.0.1:${(await startDeadEngine()).port}`,
    async arrives(way) {
      const { logs } = await serveWith(way)
      expect(logs.join('\n')).toContain('Redis cannot be used')
    },
  },
  replicaUrl: {
    text: 'http://replica.example:7420',
    async arrives(way, text) {
      const http = '127.0.0.1:7420'
      const settings = { ...parsed(way), http, replicaListen: '127.0.0.1:0' }
      const { address } = await openReplica('aaaaaaaa', { settings })
      // The port of clients is not that of replicas.
      expect(address).toMatch(new RegExp(`^${text.replace('7420', '(?!7420)\\d+')}$`))
      const apart = { ...settings, http: '127.0.0.1:1' }
      expect((await openReplica('bbbbbbbb', { settings: apart })).address).toBe(text)
    },
  },
  replicaListen: {
    text: async () => `127.0.0.1:${await freePort()}`,
    async arrives(way, text) {
      await openReplica('aaaaaaaa', { settings: { ...parsed(way), http: '127.0.0.1:0' } })
      expect((await fetch(`http://${text}/mcp`)).status).toBe(403)
    },
  },
  replicaName: {
    text: 'replica1',
    async arrives(way, text) {
      const engines = await open(way)
      onTestFinished(() => engines.close())
      expect([engines.replica, engines.writer === text]).toEqual([text, false])
      for (const wrong of ['replica-1', 'Replica1', 'r'])
        expect(() =>
          parsed({ name: '', argv: [], environment: { PITH_REPLICA_NAME: wrong } }),
        ).toThrow('eight digits and lower-case letters')
    },
  },
  publicUrl: {
    text: 'https://public.example/own',
    async arrives(way) {
      const { json } = await serveWith(way)
      expect(await json('/api/v1/session')).toMatchObject({
        mcpUrl: 'https://public.example/own/mcp',
      })
    },
  },
  httpHosts: {
    text: 'own.example',
    async arrives(way, text) {
      const { statusUnder } = await serveWith(way)
      expect(await statusUnder('other.example')).toBe(403)
      expect(await statusUnder(text)).not.toBe(403)
    },
  },
  trustedProxies: {
    text: '127.0.0.1,10.0.0.0/8',
    async arrives(way) {
      const { send, stop, folder } = await serveWith(way)
      const headers = { 'x-forwarded-for': '203.0.113.9' }
      await send('tools/list', {}, { token: 'another-token', headers })
      await stop()
      expect(journalIn(folder)).toContain('from 203.0.113.9')
    },
  },
  tlsCert: {
    text: tls.files.cert,
    async arrives(way) {
      const { origin } = await serveWith(withFlag(way, '--tls-key', tls.files.key))
      expect((await askSecurely(`${origin}/healthz`, tls.cert)).serial).toBe(tls.serial)
    },
  },
  tlsKey: {
    text: tls.files.key,
    async arrives(way) {
      const { origin } = await serveWith(withFlag(way, '--tls-cert', tls.files.cert))
      expect((await askSecurely(`${origin}/healthz`, tls.cert)).serial).toBe(tls.serial)
    },
  },
  maxResultCharacters: {
    text: '2500',
    async arrives(way) {
      const { use } = await serveWith(way)
      const text = await use('call', { module: 'a', tool_name: 'long' })
      expect(text.length).toBeGreaterThan(1_000)
      expect(text.length).toBeLessThan(3_500)
    },
  },
  firstPageCharacters: {
    text: '3000',
    async arrives(way) {
      const { use } = await serveWith(way)
      const text = await use('call', { module: 'a', tool_name: 'long' })
      expect(text.length).toBeGreaterThan(2_000)
      expect(text.length).toBeLessThan(3_500)
    },
  },
  registry: {
    text: () => {
      const file = join(temporaryFolder(onTestFinished), 'servers.json')
      writeFileSync(file, JSON.stringify({ servers: [{ name: 'com.acme/notes' }] }))
      return file
    },
    async arrives(way, text) {
      const { json } = await serveWith(way)
      expect(await json('/api/v1/registry/servers?search=notes')).toMatchObject({
        registry: text,
        servers: [{ name: 'com.acme/notes' }],
      })
      const wrong = { name: '', argv: ['--registry', 'http://'], environment: {} }
      expect(() => parsed(wrong)).toThrow('must be a URL or a file')
    },
  },
  resultFiles: {
    text: 'on',
    async arrives({ argv, environment }) {
      const folder = temporaryFolder(onTestFinished)
      const config = join(folder, 'aggregator.json')
      writeFileSync(config, JSON.stringify({ mcpServers: await startServers('a') }))
      const own = parsed({
        name: '',
        argv: ['--config', config, '--state', folder, ...argv],
        environment,
      })
      const { aggregator } = await openAggregator(await readConfigFiles(own), own, () => {})
      const params = { name: 'call', arguments: { module: 'a', tool_name: 'long' } }
      await aggregator.request({ method: 'tools/call', params })
      expect(readdirSync(join(folder, 'files'))).toHaveLength(1)
      await aggregator.close()
    },
  },
  stderr: {
    text: 'on',
    async arrives({ argv, environment }) {
      const script = 'console.error("own words")'
      const mcpServers = { a: { command: process.execPath, args: ['-e', script] } }
      const { schema, logs } = await serveHere({ mcpServers, argv, environment })
      await schema().catch(() => {})
      expect(logs).toContain('a: own words')
    },
  },
  logFormat: {
    text: 'json',
    async arrives(way) {
      const { logFormat, logLevel } = parsed(way)
      const { log } = await openLogger(logFormat, logLevel)
      const lines = spyOnStderr()
      log('a line')
      expect(JSON.parse(lines.join(''))).toMatchObject({ level: 'info', msg: 'a line' })
    },
  },
  logLevel: {
    text: 'error',
    async arrives(way) {
      const { logFormat, logLevel } = parsed(way)
      for (const format of [logFormat, 'json'] as const) {
        const { log } = await openLogger(format, logLevel)
        const lines = spyOnStderr()
        log('a warning', 'warn')
        expect(lines).toEqual([])
        log('an error', 'error')
        expect(lines.join('')).toContain('an error')
      }
    },
  },
}

const journalIn = (folder: string): string => {
  const journal = join(folder, 'state', 'journal')
  return readdirSync(journal)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => readFileSync(join(journal, name), 'utf8'))
    .join('')
}

describe('a setting arrives where it is used', () => {
  for (const line of settings.lines) {
    const { text = '', arrives } = rows[line.name] ?? {}
    for (const { name } of waysToGive(line, ''))
      test(`${line.name} by ${name}`, async () => {
        const value = typeof text === 'string' ? text : await text()
        const way = waysToGive(line, value).find((one) => one.name === name)
        if (way) await arrives?.(way, value)
      })
  }

  test('state by --no-state, which stores nothing', async () => {
    const { read, folder } = await serveWith({ name: '', argv: ['--no-state'], environment: {} })
    expect(await read()).toContain('was read')
    expect(existsSync(join(folder, 'state'))).toBe(false)
  })
})

test('every setting is looked for', () => {
  expect(Object.keys(rows).sort()).toEqual(settings.lines.map(({ name }) => name).sort())
})
