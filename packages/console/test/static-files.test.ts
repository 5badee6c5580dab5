import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../base/test/temporary-folder.ts'
import { createStaticFiles } from '../server/static-files.ts'

const folder = temporaryFolder()
mkdirSync(join(folder, 'web', 'assets'), { recursive: true })
writeFileSync(join(folder, 'secret.txt'), 'secret')
writeFileSync(join(folder, 'web', 'index.html'), '<!doctype html>')
writeFileSync(join(folder, 'web', 'assets', 'a.js'), 'plain')
writeFileSync(join(folder, 'web', 'assets', 'a.js.gz'), 'zipped')
const serve = createStaticFiles(join(folder, 'web'))
const server = createServer((request, response) => {
  if (!serve(request.url ?? '/', request, response)) response.writeHead(404).end()
})
let origin = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
})

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(origin + path, { headers })
const page = { accept: 'text/html,application/xhtml+xml' }

test('whoever wants a page gets the one there is, at any address but that of an asset', async () => {
  for (const path of ['/', '/servers/a%20b', '/favicon.ico']) {
    const response = await get(path, page)
    expect([path, response.status, await response.text()]).toEqual([path, 200, '<!doctype html>'])
    expect(response.headers.get('cache-control')).toBe('no-cache')
  }
  expect((await get('/assets/none.js', page)).status).toBe(404)
})

test('the page names its files from where it stands, so that it may stand under a prefix', async () => {
  const html = '<!doctype html><script src="./assets/a.js"></script><link href="./favicon.svg" />'
  writeFileSync(join(folder, 'web', 'index.html'), html)
  const own = createStaticFiles(join(folder, 'web'))
  for (const [path, up] of [
    ['/', './'],
    ['/servers', './'],
    ['/servers/a%20b', '../'],
    ['/servers/a%2Fb', '../'],
    ['/tools/tool', '../'],
  ] as const) {
    const sent: string[] = []
    const response = { writeHead() {}, end: (text: Buffer) => void sent.push(text.toString()) }
    own(path, { headers: page, method: 'GET' } as never, response as never)
    expect([path, ...sent]).toEqual([path, html.replaceAll('./', up)])
  }
})

test('whoever wants no page is told that there is nothing', async () => {
  expect((await get('/servers/a', { accept: 'application/json' })).status).toBe(404)
})

test('an asset comes as small as it is kept, for ever', async () => {
  const response = await get('/assets/a.js', { 'accept-encoding': 'gzip' })
  expect(response.headers.get('content-encoding')).toBe('gzip')
  expect(response.headers.get('content-type')).toContain('javascript')
  expect(response.headers.get('cache-control')).toContain('immutable')
  const plain = await get('/assets/a.js', { 'accept-encoding': 'identity' })
  expect(await plain.text()).toBe('plain')
})

test('nothing outside the folder is served', async () => {
  for (const path of ['/../secret.txt', '/assets/../../secret.txt', '//secret.txt'])
    expect(serve(path, { headers: {}, method: 'GET' } as never, {} as never)).toBe(false)
})
