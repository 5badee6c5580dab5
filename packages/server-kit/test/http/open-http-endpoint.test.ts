import { afterEach, describe, expect, test } from 'vitest'
import {
  createAuthenticator,
  type HttpEndpointOptions,
  openHttpEndpoint,
  type Principal,
  type Route,
} from '../../src/index.ts'
import { asCi, asOwner, openTestEndpoint, reading, route } from '../knock.ts'
import { asText, sendRaw } from '../raw.ts'

const openings: { close(options?: { graceMs?: number }): Promise<void> }[] = []
afterEach(async () => {
  for (const endpoint of openings.splice(0)) await endpoint.close({ graceMs: 0 })
})
async function open(
  routes: readonly Route[],
  options?: Partial<HttpEndpointOptions>,
  authenticator?: never,
) {
  const endpoint = await openTestEndpoint(routes, options, authenticator)
  openings.push(endpoint)
  return endpoint
}

describe('who may come in', () => {
  test.each([
    ['nobody without a token', {}, 401, 'no_credential'],
    ['nobody with a wrong one', { authorization: 'Bearer wrong' }, 401, 'unknown_token'],
    ['nobody with a password', { authorization: 'Basic dTpw' }, 401, 'no_credential'],
    [
      'nobody with a token without end',
      { authorization: `Bearer ${'x'.repeat(9_000)}` },
      401,
      'unknown_token',
    ],
    ['no page from elsewhere', { ...asOwner, origin: 'https://evil.example' }, 403, 'origin'],
    ['no page without an origin of its own', { ...asOwner, origin: 'null' }, 403, 'origin'],
  ])('%s', async (_who, headers, status, reason) => {
    const { ask, refused } = await open([route('/mcp')])
    const response = await ask('/mcp?token=secret', { headers })
    expect(response.status).toBe(status)
    if (status === 401) expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/)
    expect(refused).toMatchObject([
      { reason, status, method: 'GET', path: '/mcp', address: '127.0.0.1', count: 1 },
    ])
  })

  test('the owner and a caller, as who they are', async () => {
    const { ask } = await open([route('/mcp')])
    expect(await (await ask('/mcp', { headers: asOwner })).text()).toBe('owner undefined')
    expect(await (await ask('/mcp', { headers: asCi })).text()).toBe('caller ci')
  })

  test('a caller does not come to what only the owner may', async () => {
    const { ask, refused } = await open([route('/console', { scope: 'console:read' })])
    const response = await ask('/console', { headers: asCi })
    expect(response.status).toBe(403)
    expect(response.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope"')
    expect(refused).toMatchObject([{ reason: 'scope', principal: 'caller ci' }])
    expect((await ask('/console', { headers: asOwner })).status).toBe(200)
  })

  test('a page of ours from any port to MCP, and only from the same one to the console', async () => {
    const { ask, port } = await open([route('/mcp'), route('/console', { scope: 'console' })])
    const from = (origin: string) => ({ headers: { ...asOwner, origin } })
    expect((await ask('/mcp', from('http://localhost:1'))).status).toBe(200)
    expect((await ask('/console', from('http://localhost:1'))).status).toBe(403)
    expect((await ask('/console', from(`http://localhost:${port}`))).status).toBe(403)
    expect((await ask('/console', from(`http://127.0.0.1:${port}`))).status).toBe(200)
  })

  test('behind a proxy pages of the public address, over TLS only', async () => {
    const routes = [route('/console', { scope: 'console' })]
    const { ask } = await open(routes, { publicUrl: 'https://pith.example/mcp' })
    const from = (origin: string) => ({ headers: { ...asOwner, origin } })
    expect((await ask('/console', from('https://pith.example'))).status).toBe(200)
    expect((await ask('/console', from('http://pith.example'))).status).toBe(403)
  })

  test('who was locked out stays so when the last token goes', async () => {
    let callers: Record<string, { token: string }> = { ci: { token: 'token-of-ci' } }
    const authenticator = createAuthenticator({ callers: () => callers })
    const endpoint = await openTestEndpoint([route('/mcp')], {}, authenticator)
    openings.push(endpoint)
    expect((await endpoint.ask('/mcp', { headers: asCi })).status).toBe(200)
    callers = {}
    expect((await endpoint.ask('/mcp', { headers: asCi })).status).toBe(401)
    expect((await endpoint.ask('/mcp')).status).toBe(401)
  })

  test('nobody from other machines where nothing is asked for', async () => {
    const authenticator = createAuthenticator({})
    const opening = openHttpEndpoint({ address: '0.0.0.0:0', authenticator, routes: [] })
    await expect(opening).rejects.toMatchObject({ code: 'too_open' })
  })
})

describe('a browser that is signed in', () => {
  const session: Principal = { kind: 'session', scopes: new Set(['console', 'console:read']) }
  const authenticator = createAuthenticator({
    owner: 'token-of-owner',
    sessionOf: ({ headers }) => (headers.cookie === 'session=1' ? session : undefined),
  })
  const open = async () => {
    const routes = [
      route('/mcp'),
      route('/console', { scope: 'console', replies: 'data' }),
      route('/sign-in', { scope: 'public', replies: 'data' }),
    ]
    const endpoint = await openTestEndpoint(routes, {}, authenticator)
    openings.push(endpoint)
    return endpoint
  }
  const cookie = 'session=1'
  const json = { 'content-type': 'application/json' }

  test('changes something from one of our pages, in JSON', async () => {
    const { ask, url } = await open()
    const change = { method: 'POST', body: '{}', headers: { cookie, ...json, origin: url } }
    expect((await ask('/console', change)).status).toBe(200)
  })

  test.each([
    ['without an origin', { cookie, ...json, 'sec-fetch-site': 'same-origin' }, 403, 'no_origin'],
    ['from elsewhere', { cookie, ...json, origin: 'https://evil.example' }, 403, 'origin'],
    ['as a form', { cookie, 'content-type': 'text/plain', origin: 'own' }, 415, 'content_type'],
  ])('changes nothing %s', async (_how, headers, status, reason) => {
    const { ask, url, reasons } = await open()
    const own = 'origin' in headers && headers.origin === 'own' ? { origin: url } : {}
    const change = { method: 'POST', body: '{}', headers: { ...headers, ...own } }
    const response = await ask('/console', change)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ status })
    expect(reasons()).toEqual([reason])
  })

  test('is nobody to MCP, and signs in from our pages only', async () => {
    const { ask, url } = await open()
    expect((await ask('/mcp', { headers: { cookie } })).status).toBe(401)
    const signIn = (headers: Record<string, string>) =>
      ask('/sign-in', { method: 'POST', body: '{}', headers })
    expect((await signIn(json)).status).toBe(403)
    expect((await signIn({ ...json, origin: url })).status).toBe(200)
  })

  test('needs no origin where a token stands in a header', async () => {
    const { ask } = await open()
    expect((await ask('/console', { method: 'POST', headers: asOwner })).status).toBe(200)
  })
})

describe('replies', () => {
  test('have headers that keep browsers from doing more', async () => {
    const { ask } = await open([
      route('/page', { scope: 'public', replies: 'page' }),
      route('/data', { scope: 'public', replies: 'data' }),
    ])
    const page = (await ask('/page')).headers
    expect(page.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(page.get('x-content-type-options')).toBe('nosniff')
    const data = (await ask('/data')).headers
    expect(data.get('cache-control')).toBe('no-store')
    expect(data.get('x-frame-options')).toBe('DENY')
    expect((await ask('/nothing')).headers.get('referrer-policy')).toBe('no-referrer')
  })

  test('say nothing of what went wrong within', async () => {
    const told: unknown[] = []
    const broken = route('/broken', {
      handle: () => Promise.reject(new Error('the secret is 42')),
    })
    const { ask } = await open([broken], { onError: (error) => told.push(error) })
    const response = await ask('/broken', { headers: asOwner })
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('42')
    expect(told).toMatchObject([{ message: 'the secret is 42' }])
  })

  test('to a method that is not taken name those that are', async () => {
    const { ask } = await open([])
    const response = await ask('/healthz', { method: 'POST' })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, HEAD')
  })

  test.each(['TRACE', 'PUT', 'OPTIONS', 'PROPFIND'])('to %s as well', async (method) => {
    const { port, reasons } = await open([route('/mcp')])
    const { status, text } = await sendRaw(port, asText(`${method} /mcp`, asOwner))
    expect(status).toBe(405)
    expect(text).toContain('\r\nallow: GET, POST\r\n')
    expect(reasons()).toEqual(['method'])
  })
})

describe('what comes in', () => {
  test.each([
    ['/mcp/../mcp', 404],
    ['/%2e%2e/mcp', 404],
    ['/mcp/%2E%2e%2fetc', 404],
    ['/mcp/..%5c..', 404],
    ['//mcp', 404],
    ['/mcp\\x', 404],
    ['/mcp%00', 404],
    ['/mcp%0d%0aset-cookie:x', 404],
    ['http://evil.example/mcp', 400],
    [`/mcp?${'x'.repeat(9_000)}`, 414],
  ])('is refused at %s', async (target, status) => {
    let isServed = false
    const all = route('/', {
      matches: () => true,
      scope: 'public',
      handle: (_request, response) => {
        isServed = true
        response.end()
      },
    })
    const { port, refused } = await open([all])
    expect((await sendRaw(port, asText(`GET ${target}`))).status).toBe(status)
    expect(isServed).toBe(false)
    expect(refused).toHaveLength(1)
  })

  test.each([
    ['another name', asText('GET /mcp', { host: 'evil.example' }), 403, 'host'],
    ['no name', 'GET /mcp HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'host'],
    [
      'two names',
      'GET /mcp HTTP/1.1\r\nhost: localhost\r\nhost: evil.example\r\nconnection: close\r\n\r\n',
      400,
      'host',
    ],
    ['a name with a user', asText('GET /mcp', { host: 'localhost@evil.example' }), 403, 'host'],
    [
      'two lengths of a body',
      asText('POST /mcp', { 'content-length': '3', 'transfer-encoding': 'chunked' }, '0\r\n\r\n'),
      400,
      'malformed',
    ],
    [
      'a length twice',
      'POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx',
      400,
      'malformed',
    ],
    [
      'an odd transfer encoding',
      asText('POST /mcp', { 'transfer-encoding': 'xchunked' }),
      400,
      'malformed',
    ],
    [
      'a header that goes on',
      'GET /mcp HTTP/1.1\r\nhost: localhost\r\nx: a\r\n b\r\n\r\n',
      400,
      'malformed',
    ],
    ['a bare line feed', 'GET /mcp HTTP/1.1\nhost: localhost\nx : y\n\n', 400, 'malformed'],
    ['long headers', asText('GET /mcp', { x: 'y'.repeat(20_000) }), 431, 'long_headers'],
  ])('is refused with %s', async (_what, text, status, reason) => {
    const { port, reasons } = await open([route('/mcp')])
    expect((await sendRaw(port, text)).status).toBe(status)
    expect(reasons()).toEqual([reason])
  })

  test('is answered once where a second request hides in the body of the first', async () => {
    const { port } = await open([reading])
    const hidden = asText('GET /mcp')
    const { text } = await sendRaw(
      port,
      asText('POST /body', { ...asOwner, 'content-length': String(hidden.length) }, hidden),
    )
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1)
  })

  test('is bounded in its body', async () => {
    const { ask, reasons } = await open([reading])
    const post = (body: string) => ask('/body', { method: 'POST', body, headers: asOwner })
    expect(await (await post('x'.repeat(1_000))).text()).toBe('1000')
    expect((await post('x'.repeat(1_001))).status).toBe(413)
    expect(reasons()).toEqual(['long_body'])
  })

  test('is bounded in a body whose length is not said', async () => {
    const { port, reasons } = await open([reading])
    const chunk = `3e8\r\n${'x'.repeat(1_000)}\r\n`
    const head = asText('POST /body', { ...asOwner, 'transfer-encoding': 'chunked' })
    expect((await sendRaw(port, head + chunk + chunk)).status).toBe(413)
    expect(reasons()).toEqual(['long_body'])
  })

  test('has to come in time: the head, the request, and a body that someone waits for', async () => {
    const bounds = { headersMs: 400, requestMs: 1_500 }
    const waiting = route('/waits', {
      async handle(request, response) {
        for await (const _ of request);
        response.end()
      },
    })
    const { port, reasons } = await open([reading, waiting], { bounds })
    const slowly = { pauseMs: 100 }
    const drip = (text: string) => [text, ...Array.from({ length: 40 }, () => 'x')]
    const body = { ...asOwner, 'content-length': '999' }
    const [head, request, read] = await Promise.all([
      sendRaw(port, drip('GET /body HTTP/1.1\r\nx: '), slowly),
      sendRaw(port, drip(asText('POST /waits', body)), slowly),
      sendRaw(port, drip(asText('POST /body', body)), slowly),
    ])
    expect([head.status, request.status, read.status]).toEqual([408, 408, 408])
    expect(reasons().sort()).toEqual(['slow_body', 'slow_request', 'slow_request'])
  })
})

describe('closing', () => {
  test('waits for what was asked, and ends what lasts', async () => {
    const slow = route('/slow', {
      async handle(_request, response) {
        await new Promise((resolve) => setTimeout(resolve, 400))
        response.end('done')
      },
    })
    const lasting = route('/lasting', {
      isStream: () => true,
      handle: (_request, response) => void response.write('on and on'),
    })
    let isTold = false
    const { ask, close } = await open([slow, lasting], {
      onClosing: () => {
        isTold = true
      },
    })
    const stream = await ask('/lasting', { headers: asOwner })
    const answer = ask('/slow', { headers: asOwner })
    await new Promise((resolve) => setTimeout(resolve, 100))
    // Longer than a test may take: it does not wait for what lasts.
    await Promise.all([close({ graceMs: 600_000 }), expect(stream.text()).rejects.toThrow()])
    const response = await answer
    expect(await response.text()).toBe('done')
    expect(response.headers.get('connection')).toBe('close')
    expect(isTold).toBe(true)
    await expect(ask('/healthz')).rejects.toThrow()
  })

  test('does not wait longer than it may', async () => {
    const stuck = route('/stuck', { handle: () => {} })
    const { ask, close } = await open([stuck])
    const answer = expect(ask('/stuck', { headers: asOwner })).rejects.toThrow()
    await new Promise((resolve) => setTimeout(resolve, 100))
    await close({ graceMs: 200 })
    await answer
  })
})

test('whose token is taken away is put out of what lasts', async () => {
  let callers: Record<string, { token: string }> = { ci: { token: 'token-of-ci' } }
  const authenticator = createAuthenticator({ callers: () => callers })
  const lasting = route('/lasting', {
    handle: (_request, response) => void response.write('on and on'),
  })
  const endpoint = await openTestEndpoint([lasting], {}, authenticator)
  openings.push(endpoint)
  const stream = await endpoint.ask('/lasting', { headers: asCi })
  callers = {}
  await expect(stream.text()).rejects.toThrow()
  expect(endpoint.refused).toMatchObject([{ reason: 'revoked', principal: 'caller ci' }])
})

test('it says that it is up, and whether it serves', async () => {
  let isReady = false
  const { ask } = await open([], { isReady: () => isReady })
  expect(await (await ask('/healthz')).json()).toEqual({ status: 'ok' })
  expect((await ask('/readyz')).status).toBe(503)
  isReady = true
  expect((await ask('/readyz')).status).toBe(200)
})

test.each(['x', '1.2.3.4', '70000', 'a:b:80'])('%s is no address', async (address) => {
  const opening = openHttpEndpoint({
    address,
    authenticator: createAuthenticator({ owner: 'x' }),
    routes: [],
  })
  await expect(opening).rejects.toMatchObject({ code: 'bad_address' })
})
