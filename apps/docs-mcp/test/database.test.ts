import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../packages/base/test/temporary-folder.ts'
import { type Engine, hasPostgres, startPostgres } from '../../../test/engines.ts'
import { diagnose } from '../src/cli/doctor.ts'
import { readDocsSettings } from '../src/config.ts'
import { openDocs } from '../src/open-docs.ts'

const folder = temporaryFolder()

const settingsWith = (url: string) =>
  readDocsSettings({ cache: folder, allowNetworks: ['127.0.0.1/32'] }, undefined, {
    PITH_DATABASE_URL: url,
    XDG_CONFIG_HOME: folder,
  })
/** Nobody listens there. */
const deadUrl = 'postgresql://reader:secret@127.0.0.1:1/docs'

test('without PITH_DATABASE_URL the doctor does not mention a database', async () => {
  const findings = await diagnose(settingsWith(''), [])
  expect(findings.map(({ text }) => text).join('\n')).not.toContain('database')
})

test('a URL of another kind is a wrong setting, and its password is not shown', async () => {
  const opening = openDocs(settingsWith('mysql://reader:secret@x/docs'), [])
  await expect(opening).rejects.toThrow(UsageError)
  await expect(opening).rejects.toThrow(/^PITH_DATABASE_URL must have the form/)
  await expect(opening).rejects.not.toThrow(/secret/)
})

test('the doctor says why the database cannot be used, without its password', async () => {
  const findings = await diagnose(settingsWith(deadUrl), [])
  const [finding] = findings.filter(({ text }) => text.includes('database'))
  expect(finding?.isOk).toBe(false)
  expect(finding?.text).toMatch(/cannot be used: .*ECONNREFUSED.*; check PITH_DATABASE_URL/)
  expect(finding?.text).not.toContain('secret')
})

describe.skipIf(!hasPostgres)('with a database', () => {
  let engine: Engine
  let site: Server
  let url: string
  let requests = 0
  beforeAll(async () => {
    engine = await startPostgres({ fsync: 'off' })
    site = createServer((_request, response) => {
      requests++
      response
        .writeHead(200, { 'content-type': 'text/html', 'cache-control': 'max-age=600' })
        .end('<main><h1 id="r">Ropes</h1><p>A bowline.</p></main>')
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/ropes.html`
  })
  afterAll(async () => {
    site?.close()
    await engine?.stop()
  })

  test('servers that start together create its tables, and a page is fetched once', async () => {
    const opened = await Promise.all(
      Array.from({ length: 3 }, () => openDocs(settingsWith(engine.url), [])),
    )
    const [one, two] = opened
    expect((await one?.section(url, 'Ropes'))?.markdown).toContain('bowline')
    const before = requests
    expect((await two?.section(url, 'Ropes'))?.markdown).toContain('bowline')
    expect(requests).toBe(before)
    for (const docs of opened) await docs.close()
    const findings = await diagnose(settingsWith(engine.url), [])
    expect(findings).toContainEqual({
      isOk: true,
      text: 'database: pages and indexes of sites are shared',
    })
  })

  test('one that starts while the database is gone uses it when it is back', async () => {
    await engine.kill()
    const told: string[] = []
    const docs = await openDocs(settingsWith(engine.url), [], (text) => told.push(text))
    const other = url.replace('ropes', 'knots')
    expect((await docs.section(other, 'Ropes')).markdown).toContain('bowline')
    expect(told.join()).toContain('The database cannot be used')
    await engine.start()
    await expect
      .poll(() => docs.search('bowline', { source: other }).then(({ hits }) => hits.length, String))
      .toBeGreaterThan(0)
    await docs.close()
  })

  test('one that accepts connections and never answers delays a page by seconds only', async () => {
    const sockets: Socket[] = []
    const silent = createTcpServer((socket) => sockets.push(socket))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    const docs = await openDocs(settingsWith(`postgresql://x@127.0.0.1:${port}/x`), [])
    const began = performance.now()
    const other = url.replace('ropes', 'sails')
    expect((await docs.section(other, 'Ropes')).markdown).toContain('bowline')
    await expect(docs.search('bowline', { source: other })).rejects.toMatchObject({
      code: 'unreachable',
      remedy: 'Pages can be read by their URL. Search again later.',
    })
    expect(performance.now() - began).toBeLessThan(15_000)
    for (const socket of sockets) socket.destroy()
    silent.close()
    await docs.close()
  })
})
