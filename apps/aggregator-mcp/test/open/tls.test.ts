import { writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { createConsoleCode } from '@pith-mcp/console/server'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../../packages/base/test/temporary-folder.ts'
import { allServed, askByClients } from '../../../../packages/server-kit/test/tls/ask-by-clients.ts'
import { askSecurely } from '../../../../packages/server-kit/test/tls/ask-securely.ts'
import {
  makeCertificate,
  plantCertificate,
} from '../../../../packages/server-kit/test/tls/make-certificate.ts'
import { sendToConsole } from '../../src/cli/request-console.ts'
import { consoleOf, runningProcesses } from '../../src/open/running.ts'
import { readConfigFiles } from '../../src/read-config-files.ts'
import { openReplica } from '../replicas/one-replica.ts'
import { owner, serveHere, startServers } from './serve-here.ts'

const basePath = '/api/v1'

/** The server `a` behind an aggregator with a certificate, and its console as commands find it. */
async function serveSecurely(...more: string[]) {
  const tls = plantCertificate()
  const argv = ['--tls-cert', tls.files.cert, '--tls-key', tls.files.key, ...more]
  const served = await serveHere({ mcpServers: await startServers('a'), argv })
  const state = join(served.folder, 'state')
  const found = consoleOf(state, String(runningProcesses(state)[0]?.name))
  if (found === undefined) throw new Error('no console')
  const code = () => ({ code: createConsoleCode(found.key) })
  return { ...served, tls, found, code }
}

test('clients of all revisions are served over TLS', async () => {
  const { origin, tls } = await serveSecurely()
  expect(await askByClients(`${origin}/mcp`, owner, tls.files.cert)).toEqual(allServed)
})

test('the console has an https address, and cookies that only TLS carries', async () => {
  const { origin, tls, found, code, logs } = await serveSecurely()
  expect(found.url).toBe(origin)
  expect(logs.join('\n')).toContain(`console at ${origin}/`)
  const signedIn = await askSecurely(`${origin}${basePath}/session`, tls.cert, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify(code()),
  })
  expect(signedIn.status).toBe(200)
  expect(String(signedIn.headers['set-cookie'])).toMatch(/; SameSite=Strict; Secure$/)
  const cookie = String(signedIn.headers['set-cookie']).split(';')[0]
  const proof = JSON.parse(signedIn.text).proof
  const session = await askSecurely(`${origin}${basePath}/session`, tls.cert, {
    headers: { cookie, 'x-pith-proof': proof },
  })
  expect(JSON.parse(session.text)).toMatchObject({ mcpUrl: `${origin}/mcp` })
})

test('behind a proxy that ends TLS again, its public address decides', async () => {
  const { origin, tls, code } = await serveSecurely('--public-url', 'http://pith.example')
  const headers = { origin: 'http://pith.example', 'content-type': 'application/json' }
  const options = { method: 'POST', headers, body: JSON.stringify(code()) }
  const { headers: given } = await askSecurely(`${origin}${basePath}/session`, tls.cert, options)
  expect(String(given['set-cookie'])).toMatch(/; SameSite=Strict$/)
})

test('commands reach the process by its own certificate, and by no other', async () => {
  const { found, code, tls } = await serveSecurely()
  const post = (body: object) => {
    const signal = AbortSignal.timeout(20_000)
    return sendToConsole(found, {
      method: 'POST',
      path: `${basePath}/session`,
      headers: {},
      body,
      signal,
    })
  }
  expect(await post(code())).toMatchObject({ isOk: true, cookie: expect.stringMatching(/^pith_/) })
  expect(await post({ code: 'another' })).toMatchObject({ isOk: false })
  const { cert } = makeCertificate()
  writeFileSync(tls.files.cert, cert)
  await expect(post(code())).rejects.toThrow(/^It has another certificate than /)
})

test('no sandbox shows the key', async () => {
  const folder = temporaryFolder(onTestFinished)
  const config = join(folder, 'aggregator.json')
  const mcpServers = { a: { command: 'a', sandbox: {} } }
  writeFileSync(config, JSON.stringify({ mcpServers }))
  const settings = { config: [config], state: false, tlsKey: join(folder, 'key.pem') } as const
  const { servers } = await readConfigFiles({ ...settings, config: [config] })
  expect(servers).toMatchObject([
    { sandbox: { hidden: expect.arrayContaining([join(folder, 'key.pem')]) } },
  ])
})

test('other replicas are told an address with https, which answers with TLS', async () => {
  const { cert, files } = plantCertificate()
  const settings = { tlsCert: files.cert }
  const { address } = await openReplica('aaaaaaaa', { settings, tls: files })
  const { port } = new URL(address)
  expect(address).toBe(`https://${hostname()}:${port}`)
  expect((await askSecurely(`https://localhost:${port}/mcp`, cert)).status).toBe(403)
})
