import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createAuthenticator } from '../../src/index.ts'
import { asOwner, openTestEndpoint, route } from '../knock.ts'
import { sendRaw } from '../raw.ts'
import { plantCertificate } from './make-certificate.ts'
import { openSecurely } from './open-securely.ts'

describe('handshakes that do not end', () => {
  const bounds = { strangers: 4, graceMs: 20 }
  /** The first bytes of a handshake. */
  const begun = Buffer.from('160301', 'hex')

  async function flood(port: number, count: number, bytes: Buffer): Promise<Socket[]> {
    const all: Socket[] = []
    for (let n = 0; n < count; n++) {
      const socket = connect(port, '127.0.0.1')
        .on('error', () => {})
        .resume()
      await once(socket, 'connect')
      if (bytes.length > 0) socket.write(bytes)
      all.push(socket)
    }
    onTestFinished(() => {
      for (const socket of all) socket.destroy()
    })
    return all
  }
  const openOf = (all: readonly Socket[]): number[] =>
    all.flatMap((socket, at) => (socket.closed || socket.readableEnded ? [] : [at]))
  const become = (all: readonly Socket[], expected: number[]) =>
    expect.poll(() => openOf(all)).toEqual(expected)

  test.each([
    ['silent', Buffer.alloc(0)],
    ['begun', begun],
  ])('%s: the newest of an address remain, and the door answers', async (_, bytes) => {
    const { port, ask, reasons } = await openSecurely(plantCertificate(), { bounds })
    await become(await flood(port, 10, bytes), [6, 7, 8, 9])
    expect(reasons()).toContain('connections')
    expect((await ask('/mcp', { headers: asOwner })).status).toBe(200)
  })

  test('in a full house the longest idle give way', async () => {
    const crowded = { connections: 10, crowdedAt: 0.5, strangers: 1_000, graceMs: 20 }
    const { port, ask } = await openSecurely(plantCertificate(), { bounds: crowded })
    await become(await flood(port, 20, begun), [15, 16, 17, 18, 19])
    expect((await ask('/healthz')).status).toBe(200)
  })

  test('are not waited for, and nothing is written into them', async () => {
    const { port, reasons } = await openSecurely(plantCertificate(), {
      bounds: { ...bounds, strangerMs: 50 },
    })
    expect((await sendRaw(port, begun.toString('latin1'))).text).toBe('')
    expect(reasons()).toEqual(['tls'])
  })

  test('of trusted proxies, which are trusted with connections, end too', async () => {
    const { port, reasons } = await openSecurely(plantCertificate(), {
      trustedProxies: ['127.0.0.0/8'],
      bounds: { ...bounds, headersMs: 50 },
    })
    expect((await sendRaw(port, begun.toString('latin1'))).text).toBe('')
    expect(reasons()).toEqual(['tls'])
  })

  test('after one the head of a request is still waited for only as long', async () => {
    const { port, planted, reasons } = await openSecurely(plantCertificate(), {
      bounds: { ...bounds, strangerMs: 50 },
    })
    const socket = connectSecurely({ port, ca: planted.cert })
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 408/)
    expect(reasons()).toEqual(['slow_request'])
    socket.destroy()
  })

  test('do not hold a door that closes', async () => {
    const held = route('/held', { handle: () => {} })
    const ms = 3_600_000
    const patient = { graceMs: ms, headersMs: ms, requestMs: ms }
    const { port, ask, close } = await openSecurely(plantCertificate(), { bounds: patient }, [held])
    const all = await flood(port, 3, begun)
    // They have been accepted before this one.
    await ask('/healthz')
    await close({ graceMs: 0 })
    await become(all, [])
  })

  test('one that has ended with a credential counts as known', async () => {
    const { port, planted, ask } = await openSecurely(plantCertificate(), { bounds })
    const known: Socket[] = []
    for (let n = 0; n < 8; n++) {
      const socket = connectSecurely({ port, ca: planted.cert })
      await once(socket, 'secureConnect')
      socket.write(
        `GET /mcp HTTP/1.1\r\nhost: localhost\r\nauthorization: ${asOwner.authorization}\r\n\r\n`,
      )
      await once(socket, 'data')
      known.push(socket)
    }
    await become(await flood(port, 10, begun), [6, 7, 8, 9])
    expect(openOf(known)).toHaveLength(8)
    for (const socket of known) socket.destroy()
    expect((await ask('/healthz')).status).toBe(200)
  })

  test('where no credential is configured, those of an address are bounded too', async () => {
    const planted = plantCertificate()
    const endpoint = await openTestEndpoint(
      [],
      { tls: planted.files, bounds },
      createAuthenticator({}),
    )
    onTestFinished(() => endpoint.close({ graceMs: 0 }))
    await become(await flood(endpoint.port, 10, begun), [6, 7, 8, 9])
  })
})
