import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../packages/base/test/temporary-folder.ts'
import { runMain } from '../../../packages/server-kit/test/run/run-main.ts'
import { type Way, waysToGive } from '../../../packages/server-kit/test/settings/ways-to-give.ts'
import { allServed, askByClients } from '../../../packages/server-kit/test/tls/ask-by-clients.ts'
import { askSecurely } from '../../../packages/server-kit/test/tls/ask-securely.ts'
import { writeCertificate } from '../../../packages/server-kit/test/tls/make-certificate.ts'
import { settings } from '../src/settings.ts'

/** A value of a setting, and where what it does is looked for in the program that serves. */
interface Row {
  text: string
  arrives: (way: Way) => Promise<void>
}

const folder = temporaryFolder()
const body = Array.from({ length: 60 }, (_, at) => `    rope_${at} = knot(${at})\n`).join('')
writeFileSync(join(folder, 'a.py'), `def tie():\n${body}`)
/** Takes longer to parse than a timer waits at least. */
const long = Array.from({ length: 4_000 }, (_, at) => `def f${at}():\n    return [${at}]\n`).join(
  '',
)
writeFileSync(join(folder, 'long.py'), long)
const tls = writeCertificate(folder)
writeFileSync(join(folder, 'calls.py'), 'def f1():\n    pass\n')

const main = new URL('../src/main.ts', import.meta.url)
/** The program, serving the folder over HTTP with a setting. */
const serveWith = (way: Way, ...more: string[]) =>
  runMain(main, [...more, ...way.argv, folder], {
    CODE_MCP_HTTP: '127.0.0.1:0',
    CODE_MCP_CACHE: 'off',
    ...way.environment,
  })

const tie = { chunk_id: 'a.py#tie' }
const token = 'own-token-of-a-client'

const rows: Record<string, Row> = {
  pageSize: {
    text: '200',
    async arrives(way) {
      const { use } = await serveWith(way)
      const text = await use('get_chunk', tie)
      expect(text).toContain('rope_0')
      expect(text).not.toContain('rope_59')
    },
  },
  pageOver: {
    text: '500 lines, 10 KB',
    async arrives(way) {
      const { use } = await serveWith(way, '--page-size', '200')
      expect(await use('get_chunk', tie)).toContain('rope_59')
    },
  },
  compat: {
    text: 'paging',
    async arrives(way) {
      const { use } = await serveWith(way)
      const args = { filePath: 'a.py', functionSignature: 'tie', pageSize: 20 }
      expect(await use('get_function_chunk', args)).toMatch(/^This function is very large/)
    },
  },
  locale: {
    text: 'ja',
    async arrives(way) {
      const { use } = await serveWith(way)
      expect((await use('get_chunk', tie)).split('\n')[0]).toMatch(/[ぁ-ん一-龠]/)
    },
  },
  maxParseMb: {
    text: '0.0001',
    async arrives(way) {
      const { use } = await serveWith(way)
      expect(await use('list_functions_in_file', { file_path: 'a.py' })).toContain(
        'it is larger than',
      )
    },
  },
  parseTimeout: {
    text: '0.001',
    async arrives(way) {
      const { use } = await serveWith(way)
      expect(await use('list_functions_in_file', { file_path: 'long.py' })).toContain('timed out')
    },
  },
  searchWait: {
    text: '0.0001',
    async arrives(way) {
      const { use } = await serveWith(way)
      expect(await use('find_function', { query: 'f1' })).toContain('not read in time')
    },
  },
  cache: {
    text: join(folder, '.index'),
    async arrives(way) {
      rmSync(join(folder, '.index'), { recursive: true, force: true })
      const { use } = await serveWith(way)
      await use('find_function', { query: 'f1' })
      expect(readdirSync(join(folder, '.index', 'index'))).not.toEqual([])
    },
  },
  http: {
    text: 'localhost:0',
    async arrives(way) {
      expect((await serveWith(way)).origin).toMatch(/^http:\/\/localhost:\d+$/)
    },
  },
  httpHosts: {
    text: 'own.example',
    async arrives(way) {
      const { statusUnder } = await serveWith(way)
      expect(await statusUnder('other.example')).toBe(403)
      expect(await statusUnder('own.example')).not.toBe(403)
    },
  },
  trustedProxies: {
    text: '127.0.0.1,10.0.0.0/8',
    async arrives(way) {
      const environment = { ...way.environment, CODE_MCP_TOKEN: token }
      const { send } = await serveWith({ ...way, environment })
      const guess = (client: string) =>
        send('tools/list', {}, { token: 'a-guess', headers: { 'x-forwarded-for': client } })
      // Whoever guesses is slowed; another client of the same proxy is not.
      for (let count = 0; count < 30; count++) await guess('203.0.113.1')
      expect((await guess('203.0.113.1')).status).toBe(429)
      expect((await guess('203.0.113.2')).status).toBe(401)
    },
  },
  tlsCert: {
    text: tls.files.cert,
    async arrives(way) {
      const { origin } = await serveWith(way, '--tls-key', tls.files.key)
      expect((await askSecurely(`${origin}/healthz`, tls.cert)).serial).toBe(tls.serial)
    },
  },
  tlsKey: {
    text: tls.files.key,
    async arrives(way) {
      const { origin } = await serveWith(way, '--tls-cert', tls.files.cert)
      expect((await askSecurely(`${origin}/healthz`, tls.cert)).serial).toBe(tls.serial)
    },
  },
  token: {
    text: token,
    async arrives(way) {
      const { send } = await serveWith(way)
      expect((await send('tools/list', {}, { token })).status).toBe(200)
      expect((await send('tools/list')).status).toBe(401)
    },
  },
  structuredContent: {
    text: 'on',
    async arrives(way) {
      const { call } = await serveWith(way)
      expect((await call('get_chunk', tie)).structuredContent).toBeDefined()
    },
  },
  alwaysLoad: {
    text: 'off',
    async arrives(way) {
      const { tools } = await serveWith(way)
      expect((await tools()).filter(({ _meta }) => _meta)).toEqual([])
    },
  },
}

for (const line of settings.lines) {
  const { text = '', arrives } = rows[line.name] ?? {}
  for (const way of waysToGive(line, text))
    test(`${line.name} by ${way.name} arrives where it is used`, () => arrives?.(way))
}

test('clients of all revisions are served over TLS', async () => {
  const argv = ['--tls-cert', tls.files.cert, '--tls-key', tls.files.key]
  const { origin } = await serveWith({ name: '', argv, environment: { CODE_MCP_TOKEN: token } })
  expect(await askByClients(`${origin}/mcp`, token, tls.files.cert)).toEqual(allServed)
})

test('--tls-cert without --tls-key ends the program with what is missing', async () => {
  const { text } = await serveWith({ name: '', argv: ['--tls-cert', 'c.pem'], environment: {} })
  expect(text()).toContain('code-mcp: --tls-cert needs --tls-key: ')
  expect(process.exitCode).toBe(2)
})

test('a file of TLS that does not exist ends the program with its name', async () => {
  const argv = ['--tls-cert', '/none/c.pem', '--tls-key', tls.files.key]
  const { text } = await serveWith({ name: '', argv, environment: {} })
  expect(text()).toContain('code-mcp: --tls-cert: "/none/c.pem" does not exist. ')
  expect(process.exitCode).toBe(2)
})

test('every setting is looked for', () => {
  expect(Object.keys(rows).sort()).toEqual(settings.lines.map(({ name }) => name).sort())
})
