import { readdirSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { readSettings } from '@pith-mcp/server-kit/settings'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../../packages/base/test/temporary-folder.ts'
import { CleanPool } from '../../../packages/docs/src/page/clean-pool.ts'
import { startDeadEngine } from '../../../packages/server-kit/test/run/dead-engine.ts'
import { runMain } from '../../../packages/server-kit/test/run/run-main.ts'
import { type Way, waysToGive } from '../../../packages/server-kit/test/settings/ways-to-give.ts'
import { allServed, askByClients } from '../../../packages/server-kit/test/tls/ask-by-clients.ts'
import { askSecurely } from '../../../packages/server-kit/test/tls/ask-securely.ts'
import { writeCertificate } from '../../../packages/server-kit/test/tls/make-certificate.ts'
import { parseConfig } from '../src/config.ts'
import { settings } from '../src/settings.ts'

/** A value of a setting, and where what it does is looked for in the program that serves. */
interface Row {
  /** As in the file; in a flag or variable it is text. */
  value: (site: Site) => unknown
  arrives: (served: Served, site: Site) => Promise<void>
  /** Other settings, in the file. */
  with?: (site: Site) => object
}

type Site = Awaited<ReturnType<typeof startSite>>
type Served = Awaited<ReturnType<typeof runMain>>

const page = (title: string): string =>
  `<title>${title}</title><main><h1 id="r">${title}</h1><p>A bowline of ${title}.</p></main>`

const names = ['ropes', 'knots', 'sails']

/** Pages on loopback that are cached for long; `/silent` does not answer. Notes who asks. */
async function startSite() {
  const requests: { path: string; headers: IncomingMessage['headers'] }[] = []
  const results = { documents: [], metadata: { total: { value: 0 } } }
  const answers: Record<string, () => [type: string, body: string]> = {
    '/own-search': () => ['application/json', JSON.stringify(results)],
    '/embeddings': () => ['application/json', '{"data":[]}'],
    '/sitemap.xml': () => ['text/xml', `<urlset>${locations()}</urlset>`],
    '/': () => ['text/html', page('front')],
    ...Object.fromEntries(
      names.map((name) => [`/docs/${name}`, () => ['text/html', page(name)]] as const),
    ),
  }
  const locations = () => names.map((name) => `<url><loc>${base}/docs/${name}</loc></url>`).join('')
  const answer = ({ url = '/', headers }: IncomingMessage, response: ServerResponse): void => {
    const path = new URL(url, base).pathname
    requests.push({ path, headers })
    if (path === '/silent') return
    const [type, body] = answers[path]?.() ?? []
    if (type === undefined) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': type, 'cache-control': 'max-age=600' }).end(body)
  }
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    base,
    url: `${base}/docs/ropes#r`,
    requests,
    paths: () => requests.map(({ path }) => path),
    engine: await startDeadEngine(),
    folder: temporaryFolder(onTestFinished),
  }
}

const main = new URL('../src/main.ts', import.meta.url)

/** The program with these settings in its file. */
async function serveWith(inFile: object, { argv, environment }: Omit<Way, 'name'> = inNoWay) {
  const config = join(temporaryFolder(onTestFinished), 'docs-mcp.json')
  writeFileSync(config, JSON.stringify(inFile))
  return runMain(main, argv, { DOCS_MCP_CONFIG: config, ...environment })
}
const inNoWay = { argv: [], environment: {} }

const read = ({ use }: Served, { url }: Site) => use('get_doc_section', { url })
const search = ({ use }: Served) => use('search_docs', { query: 'bowline' })
const token = 'own-token-of-a-client'
const tlsFolder = temporaryFolder()
const tls = writeCertificate(tlsFolder)

const rows: Record<string, Row> = {
  sources: {
    value: ({ folder }) => [folder],
    async arrives(served, { folder }) {
      writeFileSync(join(folder, 'ropes.html'), page('ropes'))
      expect(await search(served)).toContain('ropes')
    },
  },
  site: {
    value: () => ['mdn'],
    with: ({ base }) => ({ sites: { mdn: { home: `${base}/`, searchPath: '/own-search' } } }),
    async arrives(served, site) {
      await search(served)
      expect(site.paths()).toContain('/own-search')
    },
  },
  compat: {
    value: () => 'aws',
    async arrives({ tools }) {
      expect((await tools()).map(({ name }) => name)).toContain('read_documentation')
    },
  },
  sites: {
    value: ({ base }) => ({ mdn: { home: `${base}/`, searchPath: '/own-search' } }),
    with: () => ({ site: ['mdn'] }),
    async arrives(served, site) {
      await search(served)
      expect(site.paths()).toContain('/own-search')
    },
  },
  siteSearch: {
    value: () => false,
    with: ({ base }) => ({
      site: ['mdn'],
      sites: { mdn: { home: `${base}/`, searchPath: '/own-search' } },
    }),
    async arrives(served, site) {
      await search(served)
      expect(site.paths()).not.toContain('/own-search')
      expect(site.paths()).not.toEqual([])
    },
  },
  parser: {
    value: () => 'parse5',
    async arrives(served, site) {
      const clean = vi.spyOn(CleanPool.prototype, 'clean')
      await read(served, site)
      expect(clean.mock.contexts).toContainEqual(expect.objectContaining({ parser: 'parse5' }))
      clean.mockRestore()
    },
  },
  userAgent: {
    value: () => 'own-agent/1',
    async arrives(served, site) {
      await read(served, site)
      expect(site.requests[0]?.headers['user-agent']).toContain('own-agent/1')
    },
  },
  timeout: {
    value: () => 0.05,
    async arrives({ use }, { base }) {
      const url = `${base}/silent`
      expect(await use('get_doc_section', { url })).toContain('0.05')
    },
  },
  maxPages: {
    value: () => 1,
    with: ({ base }) => ({ sources: [`${base}/`] }),
    async arrives(served, site) {
      await search(served)
      expect(names.filter((name) => site.paths().includes(`/docs/${name}`))).toHaveLength(1)
    },
  },
  searchWait: {
    value: () => 0,
    with: ({ base }) => ({ sources: [`${base}/`] }),
    async arrives(served) {
      expect(await search(served)).toContain('No section matches')
    },
  },
  cache: {
    value: ({ folder }) => join(folder, 'own'),
    async arrives(served, site) {
      await read(served, site)
      await served.stop()
      expect(readdirSync(join(site.folder, 'own'))).not.toEqual([])
    },
  },
  maxCacheMb: {
    value: () => 0.00001,
    with: ({ folder }) => ({ cache: folder }),
    async arrives(served, site) {
      await read(served, site)
      await served.stop()
      const inFile = { cache: site.folder, allowNetworks: ['127.0.0.1/32'], http: '127.0.0.1:0' }
      await read(await serveWith(inFile), site)
      expect(site.paths().filter((path) => path === '/docs/ropes')).toHaveLength(2)
    },
  },
  databaseUrl: {
    value: ({ engine }) => `postgresql://127.0.0.1:${engine.port}/x`,
    async arrives(served, site) {
      const { visits } = site.engine
      // Its tables, which are made at the start.
      await expect.poll(visits).toBeGreaterThan(0)
      const before = visits()
      await read(served, site)
      await expect.poll(visits).toBeGreaterThan(before)
    },
  },
  offline: {
    value: () => true,
    async arrives(served, site) {
      expect(await read(served, site)).toContain('offline')
      expect(site.paths()).toEqual([])
    },
  },
  only: {
    value: () => ['docs.example.org'],
    async arrives(served, site) {
      expect(await read(served, site)).toContain('docs.example.org')
      expect(site.paths()).toEqual([])
    },
  },
  allowNetworks: {
    value: () => ['127.0.0.1/32'],
    with: () => ({ allowNetworks: undefined }),
    async arrives(served, site) {
      expect(await read(served, site)).toContain('A bowline of ropes')
    },
  },
  headers: {
    value: ({ base }) => ({ [new URL(base).host]: { 'x-key': 'own' } }),
    async arrives(served, site) {
      await read(served, site)
      expect(site.requests[0]?.headers['x-key']).toBe('own')
    },
  },
  cookies: {
    value: ({ folder }) => {
      const path = join(folder, 'cookies.txt')
      writeFileSync(path, '127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\town\n', { mode: 0o600 })
      return path
    },
    with: ({ base }) => ({ sources: [`${base}/`] }),
    async arrives(served, site) {
      await read(served, site)
      expect(site.requests.find(({ path }) => path === '/docs/ropes')?.headers.cookie).toBe(
        'session=own',
      )
    },
  },
  proxy: {
    value: ({ base }) => ({ http: base, noProxy: 'localhost' }),
    async arrives({ use }, site) {
      await use('get_doc_section', { url: 'http://docs.example.org/docs/ropes' })
      expect(site.requests[0]?.headers.host).toBe('docs.example.org')
    },
  },
  embeddings: {
    value: ({ base }) => ({
      url: `${base}/embeddings`,
      model: 'own',
      apiKey: 'own-key',
      weight: 0.5,
    }),
    with: ({ folder }) => ({ sources: [folder] }),
    async arrives(served, { folder, requests }) {
      writeFileSync(join(folder, 'ropes.html'), page('ropes'))
      await search(served)
      const [asked] = requests.filter(({ path }) => path === '/embeddings')
      expect(asked?.headers.authorization).toBe('Bearer own-key')
    },
  },
  http: {
    value: () => 'localhost:0',
    with: () => ({ http: undefined }),
    async arrives({ origin }) {
      expect(origin).toMatch(/^http:\/\/localhost:\d+$/)
    },
  },
  httpHosts: {
    value: () => ['own.example'],
    async arrives({ statusUnder }) {
      expect(await statusUnder('other.example')).toBe(403)
      expect(await statusUnder('own.example')).not.toBe(403)
    },
  },
  trustedProxies: {
    value: () => ['127.0.0.1', '10.0.0.0/8'],
    with: () => ({ token }),
    async arrives({ send }) {
      const guess = (client: string) =>
        send('tools/list', {}, { token: 'a-guess', headers: { 'x-forwarded-for': client } })
      // Whoever guesses is slowed; another client of the same proxy is not.
      for (let count = 0; count < 30; count++) await guess('203.0.113.1')
      expect((await guess('203.0.113.1')).status).toBe(429)
      expect((await guess('203.0.113.2')).status).toBe(401)
    },
  },
  tlsCert: {
    value: () => tls.files.cert,
    with: () => ({ tlsKey: tls.files.key }),
    async arrives({ origin }) {
      expect((await askSecurely(`${origin}/healthz`, tls.cert)).serial).toBe(tls.serial)
    },
  },
  tlsKey: {
    value: () => tls.files.key,
    with: () => ({ tlsCert: tls.files.cert }),
    async arrives({ origin }) {
      expect((await askSecurely(`${origin}/healthz`, tls.cert)).serial).toBe(tls.serial)
    },
  },
  token: {
    value: () => token,
    async arrives({ send }) {
      expect((await send('tools/list', {}, { token })).status).toBe(200)
      expect((await send('tools/list')).status).toBe(401)
    },
  },
  structuredContent: {
    value: () => true,
    async arrives({ call }, { url }) {
      expect((await call('get_doc_section', { url })).structuredContent).toBeDefined()
    },
  },
  alwaysLoad: {
    value: () => false,
    async arrives({ tools }) {
      expect((await tools()).filter(({ _meta }) => _meta)).toEqual([])
    },
  },
}

/** As in a flag or variable. */
const textOf = (value: unknown): string =>
  Array.isArray(value)
    ? value.join(',')
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)

const base = { cache: false, http: '127.0.0.1:0', allowNetworks: ['127.0.0.1/32'] }

for (const line of settings.lines) {
  const { value = () => undefined, with: more = () => ({}), arrives } = rows[line.name] ?? {}
  const waysFor = (text: string): Way[] => [
    ...waysToGive(line, text),
    ...(line.name === 'sources' ? [{ name: 'argument', argv: [text], environment: {} }] : []),
  ]
  test(`${line.name} arrives where it is used`, async () => {
    const site = await startSite()
    const inFile = { ...base, ...more(site), [line.name]: value(site) }
    await arrives?.(await serveWith(inFile), site)
  })
  test.each(waysFor(''))(`${line.name} is the same by $name as in the file`, async ({ name }) => {
    const site = await startSite()
    const way = waysFor(textOf(value(site))).find((one) => one.name === name)
    for (const [variable, text] of Object.entries(way?.environment ?? {}))
      vi.stubEnv(variable, text)
    onTestFinished(() => void vi.unstubAllEnvs())
    const given = parseConfig(way?.argv ?? []).settings
    const written = readSettings(settings, {
      file: { path: '', values: { [line.name]: value(site) } },
    })
    expect(given[line.name as keyof typeof given]).toEqual(
      written[line.name as keyof typeof written],
    )
    expect(given[line.name as keyof typeof given]).not.toEqual(line.preset)
  })
}

test('clients of all revisions are served over TLS', async () => {
  const { cert: tlsCert, key: tlsKey } = tls.files
  const { origin } = await serveWith({ ...base, tlsCert, tlsKey, token })
  expect(await askByClients(`${origin}/mcp`, token, tlsCert)).toEqual(allServed)
})

test('every setting is looked for', () => {
  expect(Object.keys(rows).sort()).toEqual(settings.lines.map(({ name }) => name).sort())
})
