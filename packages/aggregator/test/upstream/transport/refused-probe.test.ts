import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { SignInNeeded } from '../../../../servers/src/connection/sign-in-needed.ts'
import { connect } from '../../../src/upstream/transport/connect.ts'
import { httpServer } from '../oauth/aggregated.ts'

/** A server that answers the probe and the handshake with these statuses. */
async function connectTo(probe: number, handshake: number) {
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method } = JSON.parse(Buffer.concat(chunks).toString() || '{}')
    const status = method === 'server/discover' ? probe : handshake
    const headers = { 'www-authenticate': 'Bearer resource_metadata="http://127.0.0.1/x"' }
    response.writeHead(status, status === 401 ? headers : {}).end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  await new Promise((resolve) => http.once('listening', resolve))
  const { port } = http.address() as AddressInfo
  return connect({
    server: httpServer('notes', `http://127.0.0.1:${port}/mcp`),
    signal: new AbortController().signal,
    capabilities: {},
    onAsk: async () => ({}),
    onNotification() {},
    onStderr() {},
    tokens: {
      token: async () => undefined,
      renew: async () => {
        throw new SignInNeeded('no user is signed in')
      },
    },
  } as never)
}

const statuses = [400, 401, 403, 404, 405]

test.each(statuses)(
  'a probe that is refused needs a sign-in, and a handshake with %d is no reason',
  async (status) => {
    await expect(connectTo(401, status)).rejects.toBeInstanceOf(SignInNeeded)
  },
)

test.each(statuses.filter((status) => status !== 401))(
  'a handshake that is refused needs a sign-in after a probe with %d',
  async (status) => {
    await expect(connectTo(status, 401)).rejects.toBeInstanceOf(SignInNeeded)
  },
)

test.each(statuses.filter((status) => status !== 401))(
  'two answers of %d need none',
  async (status) => {
    await expect(connectTo(status, status)).rejects.not.toBeInstanceOf(SignInNeeded)
  },
)
