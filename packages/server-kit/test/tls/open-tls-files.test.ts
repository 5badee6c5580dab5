import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { connect as connectSecurely } from 'node:tls'
import { describe, expect, test } from 'vitest'
import { tlsFilesOf } from '../../src/settings/index.ts'
import { asOwner, openTestEndpoint } from '../knock.ts'
import { sendRaw } from '../raw.ts'
import { makeCertificate, plantCertificate } from './make-certificate.ts'
import { openSecurely } from './open-securely.ts'

test('a door with a certificate serves TLS under an https address', async () => {
  const { url, ask, logs } = await openSecurely()
  expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
  expect(await ask('/mcp', { headers: asOwner })).toMatchObject({
    status: 200,
    text: 'owner undefined',
  })
  expect((await ask('/mcp')).status).toBe(401)
  expect(logs).toEqual([])
})

test('a chain is sent whole: a client that knows only the root trusts it', async () => {
  const root = makeCertificate({ name: 'root', isAuthority: true })
  const between = makeCertificate({ name: 'between', isAuthority: true, issuer: root })
  const leaf = makeCertificate({ issuer: between })
  const { ask } = await openSecurely(plantCertificate({ ...leaf, cert: leaf.cert + between.cert }))
  expect(await ask('/healthz', {}, root.cert)).toMatchObject({ status: 200, serial: leaf.serial })
})

test('TLS 1.2 is spoken, TLS 1.1 is not', async () => {
  const { ask, reasons } = await openSecurely()
  expect((await ask('/healthz', { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' })).status).toBe(200)
  const old = {
    minVersion: 'TLSv1.1',
    maxVersion: 'TLSv1.1',
    ciphers: 'DEFAULT@SECLEVEL=0',
  } as const
  await expect(ask('/healthz', old)).rejects.toThrow('alert protocol version')
  await expect.poll(() => reasons()).toEqual(['tls'])
})

test('plain HTTP is closed without an answer, and the journal says why', async () => {
  const { port, reasons } = await openSecurely()
  const reply = await sendRaw(port, 'GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n')
  expect(reply.text).toBe('')
  expect(reasons()).toEqual(['plain_http'])
})

test('only pages over TLS are pages of ours', async () => {
  const { ask, port } = await openSecurely()
  const from = (origin: string, host: string) =>
    ask('/console', { headers: { ...asOwner, origin, host } })
  const host = `localhost:${port}`
  expect((await from(`https://${host}`, host)).status).toBe(200)
  expect((await from(`http://${host}`, host)).status).toBe(403)
  // Ports that are left out differ by the scheme.
  expect((await from('https://localhost', 'localhost')).status).toBe(200)
  expect((await from('http://localhost', 'localhost')).status).toBe(403)
  expect((await from('https://other.example', host)).status).toBe(403)
  const headers = { ...asOwner, host: 'other.example' }
  expect((await ask('/mcp', { headers, servername: 'localhost' })).status).toBe(403)
})

describe('files that cannot be served are errors that name the file and what to do', () => {
  const planted = () => plantCertificate()
  test.each<[string, () => { cert: string; key: string }, RegExp]>([
    [
      'no certificate',
      () => ({ ...planted().files, cert: '/none/c.pem' }),
      /^--tls-cert: "\/none\/c\.pem" does not exist\. Pass a PEM file with the cert/,
    ],
    [
      'no key',
      () => ({ ...planted().files, key: '/none/k.pem' }),
      /^--tls-key: "\/none\/k\.pem" does not exist\. Pass a PEM file with its private key/,
    ],
    ['a folder', () => ({ ...planted().files, key: '/' }), /^--tls-key: "\/" is not a file/],
    [
      'a key as the certificate',
      () => ({ cert: planted().files.key, key: planted().files.key }),
      /^--tls-cert: .*key\.pem" cannot be used \(/,
    ],
    [
      'a certificate as the key',
      () => ({ cert: planted().files.cert, key: planted().files.cert }),
      /^--tls-key: .*cert\.pem" cannot be used \(/,
    ],
    [
      'the key of another',
      () => ({ ...planted().files, key: planted().files.key }),
      /^--tls-key: .*key\.pem" is not the key of the first certificate in .*cert\.pem"\. Pass/,
    ],
    [
      'a key with a passphrase',
      withPassphrase,
      /^--tls-key: .*key\.pem" cannot be used .*without a passphrase/,
    ],
    ['a chain in the wrong order', inWrongOrder, /is not the key of the first certificate/],
    ['too much', tooLong, /^--tls-cert: .* has more than 1048576 bytes/],
  ])('%s', async (_, files, message) => {
    const opening = openTestEndpoint([], { tls: files() })
    await expect(opening).rejects.toMatchObject({
      code: 'bad_tls',
      message: expect.stringMatching(message),
    })
  })

  function withPassphrase() {
    const made = makeCertificate()
    const format = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' } as const
    return plantCertificate({ ...made, key: made.privateKey.export(format).toString() }).files
  }
  function inWrongOrder() {
    const issuer = makeCertificate({ name: 'root', isAuthority: true })
    const leaf = makeCertificate({ issuer })
    return plantCertificate({ ...leaf, cert: issuer.cert + leaf.cert }).files
  }
  function tooLong() {
    const made = makeCertificate()
    return plantCertificate({ ...made, cert: made.cert + ' '.repeat(1024 * 1024) }).files
  }
})

test.each([
  [{ tlsCert: 'c', tlsKey: undefined }, '--tls-cert needs --tls-key'],
  [{ tlsCert: undefined, tlsKey: 'k' }, '--tls-key needs --tls-cert'],
])('one file alone is an error that names the other', (given, message) => {
  expect(() => tlsFilesOf(given)).toThrow(message)
  expect(tlsFilesOf({ tlsCert: 'c', tlsKey: 'k' })).toEqual({ cert: 'c', key: 'k' })
  expect(tlsFilesOf({ tlsCert: undefined, tlsKey: undefined })).toBeUndefined()
})

test('an expired certificate is served with a warning', async () => {
  const planted = plantCertificate(makeCertificate({ validFor: -1_000 }))
  const { ask, logs } = await openSecurely(planted)
  expect(logs).toEqual([
    expect.stringMatching(/^warn: --tls-cert: ".*cert\.pem" ended on .*Replace/),
  ])
  expect((await ask('/healthz', { rejectUnauthorized: false })).status).toBe(200)
})

describe('files that change', () => {
  test('are served without a restart, and open connections go on', async () => {
    const { ask, planted, logs, port } = await openSecurely()
    const old = connectSecurely({ port, ca: planted.cert })
    await once(old, 'secureConnect')
    const next = makeCertificate()
    planted.write(next)
    await expect
      .poll(async () => await ask('/healthz', {}, next.cert))
      .toMatchObject({ serial: next.serial })
    expect(logs).toEqual([
      expect.stringContaining(
        `info: The certificate was replaced. The one in use has the serial number ${next.serial} `,
      ),
    ])
    await expect(ask('/healthz')).rejects.toThrow()
    old.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n')
    expect(String(await once(old, 'data'))).toMatch(/^HTTP\/1\.1 200/)
    old.destroy()
  })

  test('to what cannot be used leave the old certificate, and the log says so', async () => {
    const { ask, planted, logs } = await openSecurely()
    const next = makeCertificate()
    writeFileSync(planted.files.cert, next.cert)
    await expect.poll(() => logs).toHaveLength(1)
    expect(logs[0]).toMatch(/^warn: --tls-key: .* is not the key .* The old certificate stays\./)
    expect((await ask('/healthz')).status).toBe(200)
    rmSync(planted.files.key)
    await expect.poll(() => logs[1]).toMatch(/does not exist.*The old/)
    expect((await ask('/healthz')).status).toBe(200)
    writeFileSync(planted.files.key, next.key)
    await expect.poll(async () => (await ask('/healthz', {}, next.cert)).serial).toBe(next.serial)
    expect(logs).toHaveLength(3)
  })
})
