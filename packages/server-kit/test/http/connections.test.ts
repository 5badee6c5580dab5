import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createAuthenticator } from '../../src/index.ts'
import { asOwner, openTestEndpoint, reading, route } from '../knock.ts'
import { asText, sendRaw } from '../raw.ts'

const bounds = { strangers: 4, graceMs: 20 }
const half = asText('POST /body', { 'content-length': '99', connection: 'keep-alive' }, '{')
const whole = asText('GET /healthz', { connection: 'keep-alive' })
const anyone = createAuthenticator({})

/** Answers when `release` is called. */
const held: (() => void)[] = []
const holding = (path: string, more: Parameters<typeof route>[1] = {}) =>
  route(path, {
    handle: (_request, response) => void held.push(() => response.end('done')),
    ...more,
  })

const closings: (() => unknown)[] = []
const sockets: Socket[] = []
/** Those of the server, by the port of their client. */
const accepted = new Map<number | undefined, Socket>()
const onAccepted = (message: unknown): void => {
  const { socket } = message as { socket: Socket }
  accepted.set(socket.remotePort, socket)
}
beforeEach(() => {
  held.splice(0)
  accepted.clear()
  subscribe('net.server.socket', onAccepted)
})
afterEach(async () => {
  unsubscribe('net.server.socket', onAccepted)
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const close of closings.splice(0)) await close()
})

async function open(...[routes, options, authenticator]: Parameters<typeof openTestEndpoint>) {
  const endpoint = await openTestEndpoint(routes, { bounds, ...options }, authenticator)
  closings.push(() => endpoint.close({ graceMs: 0 }))
  /** Opens connections, each with the same text, and each after the server has read the last. */
  async function flood(count: number, text: string): Promise<Socket[]> {
    const opened: Socket[] = []
    for (let n = 0; n < count; n++) {
      const socket = connect(endpoint.port, '127.0.0.1')
        .on('error', () => {})
        .resume()
      await new Promise((resolve) => socket.once('connect', resolve))
      const port = socket.localPort
      if (text !== '') await new Promise((resolve) => socket.write(text, resolve))
      for (let own = accepted.get(port); !(own && isRead(own, text)); own = accepted.get(port))
        await setImmediate()
      opened.push(socket)
    }
    sockets.push(...opened)
    return opened
  }
  return { ...endpoint, flood }
}

const isRead = ({ bytesRead, destroyed }: Socket, text: string): boolean =>
  destroyed || bytesRead >= text.length

const openOf = (all: readonly Socket[]): number[] =>
  all.flatMap((socket, at) => (socket.closed || socket.readableEnded ? [] : [at]))
const become = (all: readonly Socket[], expected: number[]) =>
  expect.poll(() => openOf(all)).toEqual(expected)

describe('connections of one address', () => {
  const floods = {
    idle: '',
    'half a head': 'GET /healthz HTTP/1.1\r\n',
    'half a body': half,
    whole,
  }
  test.each(Object.entries(floods))(
    '%s: the newest remain, without a credential',
    async (_, text) => {
      const { flood, ask, reasons } = await open([reading], {
        bounds: { ...bounds, ...(text === whole && { strangerMs: 50 }) },
      })
      const all = await flood(10, text)
      await become(all, [6, 7, 8, 9])
      expect(reasons().filter((reason) => reason === 'connections').length).toBeGreaterThan(0)
      expect((await ask('/healthz')).status).toBe(200)
      expect((await ask('/body', { method: 'POST', body: 'x', headers: asOwner })).status).toBe(200)
    },
  )

  test.each(['idle', 'half a head', 'half a body'] as const)(
    '%s: those that have not sent a whole request, where no credential is configured',
    async (name) => {
      const { flood } = await open([reading, holding('/held')], {}, anyone)
      const busy = await flood(10, asText('GET /held', { connection: 'keep-alive' }))
      await expect.poll(() => held).toHaveLength(10)
      await become(await flood(10, floods[name]), [6, 7, 8, 9])
      expect(openOf(busy)).toHaveLength(10)
    },
  )

  test('with a valid credential all remain: answered, idle and streams', async () => {
    const stream = holding('/stream', { isStream: () => true })
    const { flood, port } = await open([holding('/held'), stream, route('/mcp')])
    const as = (path: string) => asText(`GET ${path}`, { ...asOwner, connection: 'keep-alive' })
    const known = [
      ...(await flood(10, as('/held'))),
      ...(await flood(10, as('/stream'))),
      ...(await flood(10, as('/mcp'))),
    ]
    await become(await flood(10, ''), [6, 7, 8, 9])
    expect(openOf(known)).toHaveLength(30)
    expect((await sendRaw(port, asText('GET /mcp', asOwner))).status).toBe(200)
  })

  test('a head that does not come is not waited for', async () => {
    const { port, reasons } = await open([], { bounds: { ...bounds, strangerMs: 50 } })
    expect((await sendRaw(port, 'GET /healthz HTTP/1.1\r\n')).status).toBe(408)
    expect(reasons()).toEqual(['slow_request'])
  })

  test('of a trusted proxy are not bounded: they carry many clients', async () => {
    const { flood } = await open([], {
      trustedProxies: ['127.0.0.0/8'],
      bounds: { ...bounds, strangerMs: 50 },
    })
    const others = await flood(10, '')
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(openOf(others)).toHaveLength(10)
  })
})

describe('a crowd', () => {
  const crowded = { connections: 10, crowdedAt: 0.5, strangers: 1_000, graceMs: 20 }

  test.each([
    ['idle', ''],
    ['half a body', half],
    ['whole', whole],
  ])('%s: the longest idle give way', async (_, text) => {
    const { flood, port } = await open([reading], { bounds: crowded })
    await become(await flood(20, text), [15, 16, 17, 18, 19])
    expect((await sendRaw(port, asText('GET /healthz'))).status).toBe(200)
  })

  test('never closes what is being answered with a credential', async () => {
    const { flood, port } = await open([holding('/held'), route('/mcp')], { bounds: crowded })
    const busy = await flood(8, asText('GET /held', { ...asOwner, connection: 'keep-alive' }))
    await expect.poll(() => held).toHaveLength(8)
    await flood(20, whole)
    expect((await sendRaw(port, asText('GET /mcp', asOwner))).status).toBe(200)
    for (const release of held) release()
    expect(openOf(busy)).toHaveLength(8)
  })

  test('closes replies to anyone when it is full', async () => {
    const stuck = holding('/stuck', { scope: 'public' })
    const { flood, port } = await open([stuck, route('/mcp')], { bounds: crowded })
    await flood(20, asText('GET /stuck', { connection: 'keep-alive' }))
    expect((await sendRaw(port, asText('GET /mcp', asOwner))).status).toBe(200)
  })

  test('closes streams of anyone when it is full, where no credential is configured', async () => {
    const stream = holding('/stream', { isStream: () => true })
    const { flood, port } = await open([stream, route('/mcp')], { bounds: crowded }, anyone)
    await flood(20, asText('GET /stream', { connection: 'keep-alive' }))
    expect((await sendRaw(port, asText('GET /mcp'))).status).toBe(200)
  })
})

describe('wrong credentials', () => {
  const limited = { bounds: { guesses: 3, guessMs: 60_000 } }
  const wrong = (n: number) => ({ headers: { authorization: `Bearer wrong-${n}` } })

  test('are slowed, and nothing else of their address', async () => {
    const { ask, reasons } = await open([route('/mcp')], limited)
    for (let n = 0; n < 3; n++) expect((await ask('/mcp', wrong(n))).status).toBe(401)
    const slowed = await ask('/mcp', wrong(3))
    expect(slowed.status).toBe(429)
    expect(Number(slowed.headers.get('retry-after'))).toBeGreaterThan(50)
    expect(slowed.headers.has('www-authenticate')).toBe(false)
    for (let n = 0; n < 400; n += 20)
      await Promise.all(Array.from({ length: 20 }, (_, at) => ask('/mcp', wrong(n + at))))
    expect((await ask('/mcp', { headers: asOwner })).status).toBe(200)
    const challenge = await ask('/mcp')
    expect(challenge.status).toBe(401)
    expect(challenge.headers.get('www-authenticate')).toBe('Bearer')
    expect(reasons().at(-1)).toBe('no_credential')
  })

  test('are counted by the address that a trusted proxy names', async () => {
    const { ask } = await open([route('/mcp')], { ...limited, trustedProxies: ['127.0.0.1'] })
    const from = (address: string) => ({
      headers: { ...wrong(0).headers, 'x-forwarded-for': `6.6.6.6, ${address}` },
    })
    for (let n = 0; n < 3; n++) expect((await ask('/mcp', from('192.0.2.1'))).status).toBe(401)
    expect((await ask('/mcp', from('192.0.2.1'))).status).toBe(429)
    expect((await ask('/mcp', from('192.0.2.2'))).status).toBe(401)
  })
})
